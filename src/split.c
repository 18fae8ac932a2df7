#include "check.h"
#include "slices.h"

enum vg_status vg_aes_gcm_seal_split(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const uint8_t *src, size_t src_len,
                                     uint8_t *dst, size_t len, uint8_t tag[16])
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag, 16);
    if (!status && src_len > len)
        status = VG_ERR_SLICES;
    if (!status && !src && src_len)
        status = VG_ERR_NULL;
    if (!status && src_len && src != dst && vg_overlaps(dst, len, src, src_len))
        status = VG_ERR_OVERLAP;
    if (!status)
        status = vg_check_text(dst, dst, len, tag, 16);
    if (status)
        return status;
    const struct vg_slice slices[] = {{src, src_len}, {src_len < len ? dst + src_len : NULL, len - src_len}};
    vg_seal_slices(gcm, nonce, nonce_len, aad, aad_len, slices, 2, dst, len, tag);
    return VG_OK;
}
