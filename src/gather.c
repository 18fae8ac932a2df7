#include "check.h"
#include "slices.h"

/* Each slice lies apart from dst[len], or exactly where its ciphertext goes. */
static enum vg_status check_slices(const struct vg_slice *src, size_t n, const uint8_t *dst, size_t len)
{
    size_t at = 0;
    if ((n && !src) || (len && !dst))
        return VG_ERR_NULL;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *data = src[i].data;
        size_t slice_len = src[i].len;
        if (!slice_len)
            continue;
        if (!data)
            return VG_ERR_NULL;
        if (slice_len > len - at)
            return VG_ERR_SLICES;
        if (data != dst + at && vg_overlaps(dst, len, data, slice_len))
            return VG_ERR_OVERLAP;
        at += slice_len;
    }
    return at == len ? VG_OK : VG_ERR_SLICES;
}

enum vg_status vg_aes_gcm_seal_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                      const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n,
                                      uint8_t *dst, size_t len, uint8_t tag[16])
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag);
    if (!status && len > VG_TEXT_MAX)
        status = VG_ERR_TEXT_LEN;
    if (!status)
        status = check_slices(src, n, dst, len);
    if (!status)
        status = vg_check_tag_place(dst, len, tag, 16);
    if (status)
        return status;
    vg_seal_slices(gcm, nonce, nonce_len, aad, aad_len, src, n, dst, len, tag);
    return VG_OK;
}
