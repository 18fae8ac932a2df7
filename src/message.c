/* Whole messages as one piece. */
#include "whole.h"

void vg_crypt_message(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                      size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16], uint32_t direction)
{
    struct vg_aes_gcm_stream stream;
    vg_pieces_begin(&stream, gcm, nonce, nonce_len);
    vg_pieces_aad(&stream, aad, aad_len);
    vg_pieces_crypt(&stream, src, dst, len, direction);
    vg_pieces_tag(&stream, tag);
}

void vg_seal_whole(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                   size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16])
{
    vg_count_call(gcm, len);
    if (!VG_ANY_NONCE || nonce_len == 12)
        VG_CALL_FORM(gcm, seal)(gcm, nonce, aad, aad_len, src, dst, len, tag);
    else
        vg_crypt_message(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag, 0);
}

#if VG_OPEN
uint32_t vg_open_message(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                         size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag,
                         size_t tag_len)
{
    uint8_t expected[16];
    vg_crypt_message(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, expected, VG_RUN_DECRYPT);
    uint32_t verdict = vg_equal(expected, tag, tag_len) ? VG_VERDICT_GOOD : VG_VERDICT_WRITTEN;
    vg_wipe(expected, sizeof expected);
    return verdict;
}

uint32_t vg_open_whole(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag, size_t tag_len)
{
    vg_count_call(gcm, len);
    if ((!VG_ANY_NONCE || nonce_len == 12) && (!VG_TRUNCATED_TAGS || tag_len == 16))
        return VG_CALL_FORM(gcm, open)(gcm, nonce, aad, aad_len, src, dst, len, tag);
    return vg_open_message(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag, tag_len);
}
#endif
