/* For variants without stitched kernels: counter mode and GHASH one after the other, and whole messages from them. */
#include "internal.h"

void vg_crypt_run_unstitched(const struct vg_aes_gcm *gcm, struct vg_run *run, const uint8_t *src, uint8_t *dst,
                             size_t n, uint32_t flags)
{
    if (flags & VG_RUN_BLOCK)
        VG_CALL_FORM(gcm, ghash)(gcm, run->y, run->block, 1);
    if (VG_OPEN && flags & VG_RUN_DECRYPT)
        VG_CALL_FORM(gcm, ghash)(gcm, run->y, src, n);
    VG_CALL(gcm, ctr32_to)(gcm, run->counter, src, dst, n);
    if (flags & VG_RUN_KEYSTREAM)
        vg_begin_block(gcm, run);
    if (!VG_OPEN || !(flags & VG_RUN_DECRYPT))
        VG_CALL_FORM(gcm, ghash)(gcm, run->y, dst, n);
}

uint32_t vg_seal_unstitched(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
                            const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16])
{
    vg_crypt_message(gcm, nonce, 12, aad, aad_len, src, dst, len, tag, 0);
    return VG_OK;
}

#if VG_OPEN
uint32_t vg_open_unstitched(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
                            const uint8_t *src, uint8_t *dst, size_t len, const uint8_t tag[16])
{
    return vg_open_message(gcm, nonce, 12, aad, aad_len, src, dst, len, tag, 16);
}
#endif
