/* For variants without stitched kernels: counter mode and GHASH one after the other, and whole messages from them. */
#include "internal.h"

void vg_encrypt_blocks_to_unstitched(const struct vg_aes_gcm *gcm, uint8_t counter[16], uint8_t y[16],
                                     const uint8_t *src, uint8_t *dst, size_t n)
{
    VG_CALL(gcm, ctr32_to)(gcm, counter, src, dst, n);
    VG_CALL_FORM(gcm, ghash)(gcm, y, dst, n);
}

void vg_seal_unstitched(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
                        const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16])
{
    uint8_t j0[16];
    vg_j0(gcm, j0, nonce, 12);
    vg_encrypt_message(gcm, j0, aad, aad_len, src, dst, len, tag);
}

#if VG_OPEN
void vg_decrypt_blocks_to_unstitched(const struct vg_aes_gcm *gcm, uint8_t counter[16], uint8_t y[16],
                                     const uint8_t *src, uint8_t *dst, size_t n)
{
    VG_CALL_FORM(gcm, ghash)(gcm, y, src, n);
    VG_CALL(gcm, ctr32_to)(gcm, counter, src, dst, n);
}

uint32_t vg_open_unstitched(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
                            const uint8_t *src, uint8_t *dst, size_t len, const uint8_t tag[16])
{
    uint8_t j0[16], computed[16];
    vg_j0(gcm, j0, nonce, 12);
    vg_decrypt_message(gcm, j0, aad, aad_len, src, dst, len, computed);
    uint32_t verdict = vg_equal(computed, tag, 16) ? VG_VERDICT_GOOD : VG_VERDICT_WRITTEN;
    vg_wipe(computed, sizeof computed);
    return verdict;
}
#endif
