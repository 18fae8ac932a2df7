/* Plaintext in slices, ciphertext in one piece: three ways to seal it, chosen by length and by the thresholds of the
 * variant. Slices were checked: each lies apart from dst, or exactly where its ciphertext goes. */
#ifndef VG_SRC_SLICES_H
#define VG_SRC_SLICES_H

#include "whole.h"

/* Where seal_split reads on at dst. */
static inline size_t vg_last_unit(const struct vg_variant *variant, size_t len)
{
    return (len - 1) & -(size_t)variant->split_unit;
}

/* The kernel wants a nonce of 12 bytes, and a first slice that reaches as far as it reads from there. */
static inline int vg_can_split(const struct vg_aes_gcm *gcm, size_t nonce_len, const struct vg_slice *src, size_t len)
{
    const struct vg_variant *variant = VG_VARIANT(gcm);
    return variant->split_unit && (!VG_ANY_NONCE || nonce_len == 12) && src->len >= vg_last_unit(variant, len);
}

/* seal_gather, and seal_split in its terms: the checks, and the quickest way. */
enum vg_status vg_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                         size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst, size_t len, uint8_t *tag);

enum vg_way { VG_WAY_COPY, VG_WAY_SPLIT, VG_WAY_STREAM };

void vg_seal_slices_by(enum vg_way way, const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                       const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst,
                       size_t len, uint8_t tag[16]);
/* By the way that the thresholds say. */
void vg_seal_slices(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                    size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst, size_t len, uint8_t tag[16]);

#endif
