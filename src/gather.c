#include "slices.h"

/* A record and its content type, which most gathers are, in arguments that pass every check in a few instructions. What
 * is not plain may still be right. */
enum vg_status vg_aes_gcm_seal_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                      const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n,
                                      uint8_t *dst, size_t len, uint8_t tag[16])
{
    if (n != 2 || !src || !vg_is_plain(gcm, nonce, nonce_len, aad, aad_len, src[0].data, dst, len, tag))
        return vg_gather(gcm, nonce, aad, aad_len, src, dst, len, tag, nonce_len, n);
    const uint8_t *first = src[0].data, *last = src[1].data;
    const size_t at = vg_split_at(gcm, len);
    if (!at || src[0].len != len - 1 || src[1].len != 1 || !last || (uintptr_t)last - (uintptr_t)dst < len)
        return vg_gather(gcm, nonce, aad, aad_len, src, dst, len, tag, 12, 2);
    dst[len - 1] = *last;
    vg_copy_end(dst, first, len - 1, at);
    return VG_CALL_FORM(gcm, seal_split)(gcm, nonce, aad, aad_len, first, dst, len, tag);
}
