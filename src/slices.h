/* Plaintext in slices, ciphertext in one piece: three ways to seal it, chosen by length and by the thresholds of the
 * variant. Slices were checked: each lies apart from dst, or exactly where its ciphertext goes. Inlined: a short text
 * costs little more than its copy and its kernel. */
#ifndef VG_SRC_SLICES_H
#define VG_SRC_SLICES_H

#include "whole.h"

/* Piece by piece, out of place. */
void vg_stream_slices(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                      size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst, size_t len, uint8_t tag[16]);

/* Copy what the slices hold from byte number `from` of the text on to its place. */
static inline void vg_copy_slices(const struct vg_slice *src, size_t n, uint8_t *dst, size_t from)
{
    for (size_t i = 0, at = 0; i < n; at += src[i++].len) {
        size_t skip = at < from ? from - at : 0;
        if (skip < src[i].len && src[i].data != dst + at)
            vg_copy_text(dst + at + skip, src[i].data + skip, src[i].len - skip);
    }
}

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

enum vg_way { VG_WAY_COPY, VG_WAY_SPLIT, VG_WAY_STREAM };

#if VG_GATHER || VG_SPLIT
static inline void vg_seal_slices_by(enum vg_way way, const struct vg_aes_gcm *gcm, const uint8_t *nonce,
                                     size_t nonce_len, const uint8_t *aad, size_t aad_len, const struct vg_slice *src,
                                     size_t n, uint8_t *dst, size_t len, uint8_t tag[16])
{
    switch (way) {
    case VG_WAY_COPY:
        vg_copy_slices(src, n, dst, 0);
        vg_seal_whole(gcm, nonce, nonce_len, aad, aad_len, dst, dst, len, tag);
        return;
    case VG_WAY_SPLIT:
        vg_copy_slices(src, n, dst, vg_last_unit(VG_VARIANT(gcm), len));
        vg_count_call(gcm, len);
        VG_CALL_FORM(gcm, seal_split)(gcm, nonce, aad, aad_len, src->data, dst, len, tag);
        return;
    case VG_WAY_STREAM:
        vg_stream_slices(gcm, nonce, nonce_len, aad, aad_len, src, n, dst, len, tag);
        return;
    }
}

static inline void vg_seal_slices(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                  const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n,
                                  uint8_t *dst, size_t len, uint8_t tag[16])
{
    enum vg_way way = VG_WAY_COPY;
    if (len >= VG_VARIANT(gcm)->split_from) {
        while (!src->len)
            src++, n--;
        if (vg_can_split(gcm, nonce_len, src, len))
            way = VG_WAY_SPLIT;
        else if (len >= VG_VARIANT(gcm)->copy_below)
            way = VG_WAY_STREAM;
    }
    vg_seal_slices_by(way, gcm, nonce, nonce_len, aad, aad_len, src, n, dst, len, tag);
}
#endif

#endif
