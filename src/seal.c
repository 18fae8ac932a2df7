#include "check.h"
#include "whole.h"

VG_NOINLINE static enum vg_status seal_other(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                             const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst,
                                             size_t len, uint8_t *tag)
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag, 16);
    if (!status)
        status = vg_check_text(src, dst, len, tag, 16);
    if (!status)
        vg_seal_whole(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag);
    return status;
}

enum vg_status vg_aes_gcm_seal_to(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                  const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len,
                                  uint8_t tag[16])
{
    if (!vg_is_plain(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag))
        return seal_other(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag);
    return VG_CALL_FORM(gcm, seal)(gcm, nonce, aad, aad_len, src, dst, len, tag);
}

enum vg_status vg_aes_gcm_seal(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                               size_t aad_len, uint8_t *text, size_t len, uint8_t tag[16])
{
    if (!vg_is_plain(gcm, nonce, nonce_len, aad, aad_len, text, text, len, tag))
        return seal_other(gcm, nonce, nonce_len, aad, aad_len, text, text, len, tag);
    return VG_CALL_FORM(gcm, seal)(gcm, nonce, aad, aad_len, text, text, len, tag);
}
