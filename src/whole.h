/* A message in one piece, after its checks. Inlined: a short message costs little more than its kernel. */
#ifndef VG_SRC_WHOLE_H
#define VG_SRC_WHOLE_H

#include "internal.h"

static inline void vg_seal_whole(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                 const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len,
                                 uint8_t tag[16])
{
    vg_count_call(gcm, len);
    if (!VG_ANY_NONCE || nonce_len == 12) {
        VG_CALL_FORM(gcm, seal)(gcm, nonce, aad, aad_len, src, dst, len, tag);
        return;
    }
    uint8_t j0[16];
    vg_j0(gcm, j0, nonce, nonce_len);
    vg_encrypt_message(gcm, j0, aad, aad_len, src, dst, len, tag);
    vg_wipe(j0, sizeof j0);
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
    uint8_t j0[16], expected[16];
    vg_j0(gcm, j0, nonce, nonce_len);
    vg_decrypt_message(gcm, j0, aad, aad_len, src, dst, len, expected);
    int good = vg_equal(expected, tag, tag_len);
    vg_wipe(expected, sizeof expected);
    vg_wipe(j0, sizeof j0);
    return good ? VG_VERDICT_GOOD : VG_VERDICT_WRITTEN;
}
#endif

#endif
