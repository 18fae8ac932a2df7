#include "check.h"

enum vg_status vg_check_message(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                const uint8_t *aad, size_t aad_len, const uint8_t *tag, size_t tag_len)
{
    if (!gcm || !nonce || !tag || (!aad && aad_len))
        return VG_ERR_NULL;
    if (!gcm->rounds)
        return VG_ERR_KEY;
    if (aad_len > VG_AAD_MAX)
        return VG_ERR_AAD_LEN;
    enum vg_status status = vg_check_nonce_len(nonce_len);
    return status ? status : vg_check_tag_len(tag_len);
}

enum vg_status vg_check_text(const uint8_t *src, const uint8_t *dst, size_t len, const uint8_t *tag, size_t tag_len)
{
    return vg_text_status(src, dst, len, tag, tag_len);
}

#if VG_OPEN || VG_SELF_TEST
int vg_equal(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint32_t difference = 0;
    for (size_t i = 0; i < len; i++)
        difference |= (uint32_t)(a[i] ^ b[i]);
    return (int)((difference - 1) >> 31);
}
#endif
