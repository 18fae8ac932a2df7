#include "check.h"

enum vg_status vg_aes_gcm_seal_to(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                  const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len,
                                  uint8_t tag[16])
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag);
    if (!status)
        status = vg_check_text(src, dst, len);
    if (!status)
        status = vg_check_tag_place(dst, len, tag, 16);
    if (status)
        return status;
    vg_count_call(gcm, len);
    if (!VG_ANY_NONCE || nonce_len == 12) {
        VG_CALL_FORM(gcm, seal)(gcm, nonce, aad, aad_len, src, dst, len, tag);
        return VG_OK;
    }
    uint8_t j0[16];
    vg_j0(gcm, j0, nonce, nonce_len);
    vg_encrypt_message(gcm, j0, aad, aad_len, src, dst, len, tag);
    vg_wipe(j0, sizeof j0);
    return VG_OK;
}

enum vg_status vg_aes_gcm_seal(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                               size_t aad_len, uint8_t *text, size_t len, uint8_t tag[16])
{
    return vg_aes_gcm_seal_to(gcm, nonce, nonce_len, aad, aad_len, text, text, len, tag);
}
