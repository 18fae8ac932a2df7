#include "slices.h"

enum vg_status vg_aes_gcm_seal_split(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const uint8_t *src, size_t src_len,
                                     uint8_t *dst, size_t len, uint8_t tag[16])
{
    if (src_len > len)
        return VG_ERR_SLICES;
    if (vg_is_plain(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag)) {
        const size_t at = vg_split_at(gcm, len);
        if (at && src_len >= at) {
            vg_copy_end(dst, src, src_len, at);
            return VG_CALL_FORM(gcm, seal_split)(gcm, nonce, aad, aad_len, src, dst, len, tag);
        }
    }
    const struct vg_slice slices[] = {{src, src_len}, {(const uint8_t *)((uintptr_t)dst + src_len), len - src_len}};
    return vg_gather(gcm, nonce, aad, aad_len, slices, dst, len, tag, nonce_len, 2);
}
