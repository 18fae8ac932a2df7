/* A message in one piece, after its checks. Inlined: a short message costs little more than its kernel. */
#ifndef VG_SRC_WHOLE_H
#define VG_SRC_WHOLE_H

#include "internal.h"

/* What nearly all messages are: arguments that pass every check in a few instructions, with a nonce of 12 bytes, and a
 * key whose calls need no counting. What is not plain may still be right; in small code nothing is. */
static inline int vg_is_plain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                              size_t aad_len, const uint8_t *src, const uint8_t *dst, size_t len, const uint8_t *tag)
{
    if (VG_OPTIMIZE_SIZE)
        return 0;
    uintptr_t text_gap = (uintptr_t)dst - (uintptr_t)src + len, tag_gap = (uintptr_t)tag - (uintptr_t)dst + 16;
    if (!gcm || !nonce || !src || !dst || !tag || nonce_len != 12 || (!aad && aad_len) || (aad_len | len) >> 32)
        return 0;
    if ((dst != src && text_gap - 1 < 2 * len - 1) || tag_gap - 1 < len + 15 || !gcm->rounds)
        return 0;
    return !vg_call_counts(gcm, len);
}

static inline void vg_seal_whole(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                 const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len,
                                 uint8_t tag[16])
{
    vg_count_call(gcm, len);
    if (!VG_ANY_NONCE || nonce_len == 12) {
        VG_CALL_FORM(gcm, seal)(gcm, nonce, aad, aad_len, src, dst, len, tag);
        return;
    }
    vg_crypt_message(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag, 0);
}

#if VG_OPEN
/* The verdict says what stands at dst. */
static inline uint32_t vg_open_whole(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len,
                                     const uint8_t *tag, size_t tag_len)
{
    vg_count_call(gcm, len);
    if ((!VG_ANY_NONCE || nonce_len == 12) && (!VG_TRUNCATED_TAGS || tag_len == 16))
        return VG_CALL_FORM(gcm, open)(gcm, nonce, aad, aad_len, src, dst, len, tag);
    return vg_open_message(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag, tag_len);
}
#endif

#endif
