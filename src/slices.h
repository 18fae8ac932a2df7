/* Plaintext in slices, ciphertext in one piece: three ways to seal it, chosen by length and by the thresholds of the
 * variant. Slices were checked: each lies apart from dst, or exactly where its ciphertext goes. */
#ifndef VG_SRC_SLICES_H
#define VG_SRC_SLICES_H

#include "whole.h"

enum vg_way {
    VG_WAY_COPY,   /* all to dst, and sealed there */
    VG_WAY_SPLIT,  /* the last unit to dst, the rest from the first slice, which must reach so far */
    VG_WAY_STREAM, /* all from where it lies, but for groups of blocks that straddle slices; longer texts only */
    VG_WAY_BY_LEN, /* as the thresholds say; another way that a text is not one for is COPY */
};
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

/* Copy the end of a slice, from byte number `at` on, which is at least 16, or its first `to` bytes: in steps of 16 that
 * may copy up to 15 bytes before or behind them, of the same slice, whose ciphertext comes there later. */
static inline void vg_copy_end(uint8_t *dst, const uint8_t *src, size_t len, size_t at)
{
    for (; len > at; len -= 16)
        vg_store128(dst + len - 16, vg_load128(src + len - 16));
}
static inline void vg_copy_begin(uint8_t *dst, const uint8_t *src, size_t to)
{
    for (size_t at = 0; at < to; at += 16)
        vg_store128(dst + at, vg_load128(src + at));
}

/* seal_gather in full. Arguments in the order of kernels, so that most of them stay where they are. */
enum vg_status vg_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                         const struct vg_slice *src, uint8_t *dst, size_t len, uint8_t *tag, size_t nonce_len,
                         size_t n);
/* The same once all but the slices was checked, on a way of the caller's choice. */
enum vg_status vg_seal_slices(const struct vg_aes_gcm *gcm, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                              const struct vg_slice *src, uint8_t *dst, size_t len, uint8_t *tag, size_t nonce_len,
                              size_t n, enum vg_way way);

#endif
