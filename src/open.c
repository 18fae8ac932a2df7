#include "check.h"

/* Nonces other than 12 bytes, and truncated tags. */
static uint32_t open_from_blocks(const struct vg_aes_gcm *gcm, const uint8_t j0[16], const uint8_t *aad, size_t aad_len,
                                 const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag, size_t tag_len)
{
    uint8_t expected[16];
    vg_decrypt_message(gcm, j0, aad, aad_len, src, dst, len, expected);
    int good = vg_equal(expected, tag, tag_len);
    vg_wipe(expected, sizeof expected);
    return good ? VG_VERDICT_GOOD : VG_VERDICT_WRITTEN;
}

enum vg_status vg_aes_gcm_open_to(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                  const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len,
                                  const uint8_t *tag, size_t tag_len)
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag);
    if (!status)
        status = vg_check_text(src, dst, len);
    if (!status)
        status = vg_check_tag_len(tag_len);
    if (!status)
        status = vg_check_tag_place(dst, len, tag, tag_len);
    if (status)
        return status;
    vg_count_call(gcm, len);
    uint8_t j0[16];
    uint32_t verdict;
    if ((!VG_ANY_NONCE || nonce_len == 12) && (!VG_TRUNCATED_TAGS || tag_len == 16)) {
        verdict = VG_CALL_FORM(gcm, open)(gcm, nonce, aad, aad_len, src, dst, len, tag);
        if (verdict == VG_VERDICT_GOOD)
            return VG_OK;
        vg_j0(gcm, j0, nonce, nonce_len);
    } else {
        vg_j0(gcm, j0, nonce, nonce_len);
        verdict = open_from_blocks(gcm, j0, aad, aad_len, src, dst, len, tag, tag_len);
    }
    if (verdict == VG_VERDICT_WRITTEN && src == dst)
        vg_ctr_message(gcm, j0, src, dst, len);
    else if (verdict != VG_VERDICT_GOOD && src != dst)
        vg_zero(dst, len);
    vg_wipe(j0, sizeof j0);
    return verdict == VG_VERDICT_GOOD ? VG_OK : VG_ERR_AUTH;
}

enum vg_status vg_aes_gcm_open(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                               size_t aad_len, uint8_t *text, size_t len, const uint8_t *tag, size_t tag_len)
{
    return vg_aes_gcm_open_to(gcm, nonce, nonce_len, aad, aad_len, text, text, len, tag, tag_len);
}
