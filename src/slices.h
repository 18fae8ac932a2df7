/* Plaintext in slices, ciphertext in one piece: three ways to seal it, chosen by length and by the thresholds of the
 * variant. */
#ifndef VG_SRC_SLICES_H
#define VG_SRC_SLICES_H

#include "whole.h"

/* Where seal_split reads on at dst; 0 if all of the text is there, or no seal_split. */
static inline size_t vg_last_unit(const struct vg_aes_gcm *gcm, size_t len)
{
    return (len - 1) & VG_VARIANT(gcm)->split_mask;
}

/* The same if a text so long is one for seal_split, else 0. */
static inline size_t vg_split_at(const struct vg_aes_gcm *gcm, size_t len)
{
    return len >= VG_VARIANT(gcm)->split_from ? vg_last_unit(gcm, len) : 0;
}

/* Copy the end of a first slice, from byte number `at` on, which is at least 16. Bytes before may be copied too. */
static inline void vg_copy_end(uint8_t *dst, const uint8_t *first, size_t first_len, size_t at)
{
    for (; first_len > at; first_len -= 16)
        vg_store128(dst + first_len - 16, vg_load128(first + first_len - 16));
}

/* seal_gather in full; arguments in the order of kernels, so that most of them stay where they are. */
enum vg_status vg_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                         const struct vg_slice *src, uint8_t *dst, size_t len, uint8_t *tag, size_t nonce_len,
                         size_t n);

/* Seal slices that were checked: each lies apart from dst, or exactly where its ciphertext goes. */
enum vg_way { VG_WAY_COPY, VG_WAY_SPLIT, VG_WAY_STREAM };
void vg_seal_slices_by(enum vg_way way, const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                       const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst,
                       size_t len, uint8_t tag[16]);
/* By the way that the thresholds say. */
void vg_seal_slices(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                    size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst, size_t len, uint8_t tag[16]);

#endif
