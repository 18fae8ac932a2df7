#include "slices.h"
#include "check.h"

/* Each slice lies apart from dst[len], or exactly where its ciphertext goes. */
static inline enum vg_status check_slices(const struct vg_slice *src, size_t n, const uint8_t *dst, size_t len)
{
    size_t left = len;
    if (n && !src)
        return VG_ERR_NULL;
    for (; n; n--, src++) {
        const uint8_t *data = src->data;
        const size_t slice_len = src->len;
        if (!slice_len)
            continue;
        if (!data)
            return VG_ERR_NULL;
        if (slice_len > left)
            return VG_ERR_SLICES;
        if (data != dst + (len - left) && vg_overlaps(dst, len, data, slice_len))
            return VG_ERR_OVERLAP;
        left -= slice_len;
    }
    return left ? VG_ERR_SLICES : VG_OK;
}

/* Copy what the slices hold from byte number `from` of the text on to its place. */
static void copy_slices(const struct vg_slice *src, size_t n, uint8_t *dst, size_t from)
{
    for (size_t at = 0; n; n--, at += src++->len) {
        size_t skip = at < from ? from - at : 0;
        if (skip < src->len && src->data != dst + at)
            vg_copy_text(dst + at + skip, src->data + skip, src->len - skip);
    }
}

#if VG_STREAM_SLICES > 2
/* Runs of whole units that may stay where they are, and between them, copied to dst, units that straddle slices; the
 * last run has the tail of the text. */
static inline void collect(struct vg_slice *run, const struct vg_variant *variant, const struct vg_slice *src, size_t n,
                           uint8_t *dst, size_t len)
{
    const size_t mask = variant->slice_mask, tail = (len - 1) & -(variant->stitched_from - 1);
    size_t at = 0, done = 0; /* runs have all up to `done`, copies have all from there to `at` */
    for (; n; n--, src++) {
        const uint8_t *data = src->data;
        const size_t end = at + src->len, from = (at - mask - 1) & mask;
        const size_t to = end == len ? len : end < tail ? end & mask : tail;
        if (from <= tail && from + 16 <= to) {
            vg_copy_begin(dst + at, data, from - at);
            if (done < from)
                *run++ = (struct vg_slice){dst + done, from - done};
            *run++ = (struct vg_slice){data + (from - at), to - from};
            vg_copy_end(dst + at, data, end - at, to - at);
            done = to;
        } else if (data != dst + at)
            vg_copy_text(dst + at, data, end - at);
        at = end;
    }
    if (done < len)
        *run = (struct vg_slice){dst + done, len - done};
}
#endif

enum vg_status vg_seal_slices(const struct vg_aes_gcm *gcm, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                              const struct vg_slice *src, uint8_t *dst, size_t len, uint8_t *tag, size_t nonce_len,
                              size_t n, enum vg_way way)
{
    const struct vg_variant *variant = VG_VARIANT(gcm);
    const enum vg_status status = check_slices(src, n, dst, len);
    if (status)
        return status;
    for (; n && !src->len; n--)
        src++;
    size_t at = vg_last_unit(gcm, len);
    if (!n || src->len < at)
        at = 0;
    if (way == VG_WAY_BY_LEN)
        way = len >= variant->split_from && at ? VG_WAY_SPLIT
              : len >= variant->copy_below     ? VG_WAY_STREAM
                                               : VG_WAY_COPY;
    if (VG_ANY_NONCE && nonce_len != 12)
        way = VG_WAY_COPY;
#if VG_STREAM_SLICES > 2
    if (way == VG_WAY_STREAM && len >= variant->stitched_from && n <= VG_STREAM_SLICES) {
        struct vg_slice runs[2 * VG_STREAM_SLICES + 1];
        collect(runs, variant, src, n, dst, len);
        vg_count_call(gcm, len);
        return VG_CALL_FORM(gcm, seal_slices)(gcm, nonce, aad, aad_len, runs, dst, len, tag);
    }
#endif
    if (way != VG_WAY_SPLIT)
        at = 0;
    copy_slices(src, n, dst, at);
    if (!at) {
        vg_seal_whole(gcm, nonce, nonce_len, aad, aad_len, dst, dst, len, tag);
        return VG_OK;
    }
    vg_count_call(gcm, len);
    return VG_CALL_FORM(gcm, seal_split)(gcm, nonce, aad, aad_len, src->data, dst, len, tag);
}

enum vg_status vg_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                         const struct vg_slice *src, uint8_t *dst, size_t len, uint8_t *tag, size_t nonce_len, size_t n)
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag, 16);
    if (!status)
        status = vg_check_text(dst, dst, len, tag, 16);
    return status ? status : vg_seal_slices(gcm, nonce, aad, aad_len, src, dst, len, tag, nonce_len, n, VG_WAY_BY_LEN);
}

#if VG_VARIANT_PORTABLE || VG_VARIANT_AESNI || VG_VARIANT_PCLMUL
/* For variants without stitched kernels, which thresholds keep from streaming: piece by piece. */
uint32_t vg_seal_slices_unstitched(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad,
                                   size_t aad_len, const struct vg_slice *slices, uint8_t *dst, size_t len,
                                   uint8_t tag[16])
{
    struct vg_aes_gcm_stream stream;
    vg_pieces_begin(&stream, gcm, nonce, 12);
    vg_pieces_aad(&stream, aad, aad_len);
    for (; stream.len < len; dst += slices++->len)
        vg_pieces_crypt(&stream, slices->data, dst, slices->len, 0);
    vg_pieces_tag(&stream, tag);
    return VG_OK;
}
#endif
