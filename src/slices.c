#include "slices.h"
#include "check.h"

/* Each slice lies apart from dst[len], or exactly where its ciphertext goes. */
static enum vg_status check_slices(const struct vg_slice *src, size_t n, const uint8_t *dst, size_t len)
{
    size_t at = 0;
    if (n && !src)
        return VG_ERR_NULL;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *data = src[i].data;
        size_t slice_len = src[i].len;
        if (!slice_len)
            continue;
        if (!data)
            return VG_ERR_NULL;
        if (slice_len > len - at)
            return VG_ERR_SLICES;
        if (data != dst + at && vg_overlaps(dst, len, data, slice_len))
            return VG_ERR_OVERLAP;
        at += slice_len;
    }
    return at == len ? VG_OK : VG_ERR_SLICES;
}

/* Copy what the slices hold from byte number `from` of the text on to its place. */
static void copy_slices(const struct vg_slice *src, size_t n, uint8_t *dst, size_t from)
{
    for (size_t i = 0, at = 0; i < n; at += src[i++].len) {
        size_t skip = at < from ? from - at : 0;
        if (skip < src[i].len && src[i].data != dst + at)
            vg_copy_text(dst + at + skip, src[i].data + skip, src[i].len - skip);
    }
}

/* Piece by piece, out of place. */
static void stream_slices(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                          size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst, size_t len,
                          uint8_t tag[16])
{
    struct vg_aes_gcm_stream stream;
    vg_count_call(gcm, len);
    vg_pieces_begin(&stream, gcm, nonce, nonce_len);
    vg_pieces_aad(&stream, aad, aad_len);
    for (size_t i = 0; i < n; dst += src[i++].len)
        vg_pieces_crypt(&stream, src[i].data, dst, src[i].len, 0);
    vg_pieces_tag(&stream, tag);
}

void vg_seal_slices_by(enum vg_way way, const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                       const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst,
                       size_t len, uint8_t tag[16])
{
    switch (way) {
    case VG_WAY_COPY:
        copy_slices(src, n, dst, 0);
        vg_seal_whole(gcm, nonce, nonce_len, aad, aad_len, dst, dst, len, tag);
        return;
    case VG_WAY_SPLIT:
        copy_slices(src, n, dst, vg_last_unit(gcm, len));
        vg_count_call(gcm, len);
        VG_CALL_FORM(gcm, seal_split)(gcm, nonce, aad, aad_len, src->data, dst, len, tag);
        return;
    case VG_WAY_STREAM:
        stream_slices(gcm, nonce, nonce_len, aad, aad_len, src, n, dst, len, tag);
        return;
    }
}

void vg_seal_slices(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                    size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst, size_t len, uint8_t tag[16])
{
    enum vg_way way = VG_WAY_COPY;
    const size_t at = vg_split_at(gcm, len);
    while (n && !src->len)
        src++, n--;
    if (at && src->len >= at && (!VG_ANY_NONCE || nonce_len == 12))
        way = VG_WAY_SPLIT;
    else if (len >= VG_VARIANT(gcm)->copy_below)
        way = VG_WAY_STREAM;
    vg_seal_slices_by(way, gcm, nonce, nonce_len, aad, aad_len, src, n, dst, len, tag);
}

enum vg_status vg_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                         const struct vg_slice *src, uint8_t *dst, size_t len, uint8_t *tag, size_t nonce_len, size_t n)
{
    enum vg_status status = VG_OK;
    if (!vg_is_plain(gcm, nonce, nonce_len, aad, aad_len, dst, dst, len, tag)) {
        status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag, 16);
        if (!status)
            status = vg_check_text(dst, dst, len, tag, 16);
    }
    if (!status)
        status = check_slices(src, n, dst, len);
    if (!status)
        vg_seal_slices(gcm, nonce, nonce_len, aad, aad_len, src, n, dst, len, tag);
    return status;
}
