#include "check.h"
#include "whole.h"

static void encrypt_again(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, uint8_t *text,
                          size_t len)
{
    uint8_t j0[16];
    vg_j0(gcm, j0, nonce, nonce_len);
    vg_ctr_message(gcm, j0, text, text, len);
    vg_wipe(j0, sizeof j0);
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
    uint32_t verdict = vg_open_whole(gcm, nonce, nonce_len, aad, aad_len, src, dst, len, tag, tag_len);
    if (verdict == VG_VERDICT_GOOD)
        return VG_OK;
    if (src != dst)
        vg_zero(dst, len);
    else if (verdict == VG_VERDICT_WRITTEN)
        encrypt_again(gcm, nonce, nonce_len, dst, len);
    return VG_ERR_AUTH;
}

enum vg_status vg_aes_gcm_open(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                               size_t aad_len, uint8_t *text, size_t len, const uint8_t *tag, size_t tag_len)
{
    return vg_aes_gcm_open_to(gcm, nonce, nonce_len, aad, aad_len, text, text, len, tag, tag_len);
}
