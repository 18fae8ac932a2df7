#include "check.h"
#include "whole.h"

static void encrypt_again(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, uint8_t *text,
                          size_t len)
{
    uint8_t tag[16];
    vg_crypt_message(gcm, nonce, nonce_len, NULL, 0, text, text, len, tag, 0);
    vg_wipe(tag, sizeof tag);
}

/* Leave no plaintext where the tag is wrong. */
VG_NOINLINE static enum vg_status refuse(uint32_t verdict, const struct vg_aes_gcm *gcm, const uint8_t *nonce,
                                         size_t nonce_len, const uint8_t *src, uint8_t *dst, size_t len)
{
    if (src != dst)
        vg_zero(dst, len);
    else if (verdict == VG_VERDICT_WRITTEN)
        encrypt_again(gcm, nonce, nonce_len, dst, len);
    return VG_ERR_AUTH;
}

VG_NOINLINE static enum vg_status open_other(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                             const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst,
                                             size_t len, const uint8_t *tag, size_t tag_len)
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag, tag_len);
    if (!status)
        status = vg_check_text(src, dst, len, tag, tag_len);
    if (status)
        return status;
    uint32_t verdict = vg_open_whole(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag, tag_len);
    return verdict == VG_VERDICT_GOOD ? VG_OK : refuse(verdict, gcm, nonce, nonce_len, src, dst, len);
}

static inline enum vg_status open_any(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                      const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len,
                                      const uint8_t *tag, size_t tag_len)
{
    if (tag_len != 16 || !vg_is_plain(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag))
        return open_other(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag, tag_len);
    uint32_t verdict = VG_CALL_FORM(gcm, open)(gcm, nonce, aad, aad_len, src, dst, len, tag);
    return verdict == VG_VERDICT_GOOD ? VG_OK : refuse(verdict, gcm, nonce, nonce_len, src, dst, len);
}

enum vg_status vg_aes_gcm_open_to(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                  const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len,
                                  const uint8_t *tag, size_t tag_len)
{
    return open_any(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag, tag_len);
}

enum vg_status vg_aes_gcm_open(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                               size_t aad_len, uint8_t *text, size_t len, const uint8_t *tag, size_t tag_len)
{
    return open_any(gcm, nonce, nonce_len, aad, aad_len, text, text, len, tag, tag_len);
}
