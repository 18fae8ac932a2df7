#include "slices.h"

/* Two slices, of which the second is to be looked at yet. A long text is read where it lies, but for the unit that
 * straddles them. */
VG_NOINLINE static enum vg_status seal_pair(const struct vg_aes_gcm *gcm, const uint8_t *nonce, const uint8_t *aad,
                                            size_t aad_len, const struct vg_slice *src, uint8_t *dst, size_t len,
                                            uint8_t tag[16])
{
    const struct vg_variant *variant = VG_VARIANT(gcm);
    const uint8_t *first = src[0].data, *second = src[1].data;
    const size_t first_len = src[0].len, second_len = src[1].len, tail = (len - 1) & -(variant->stitched_from - 1);
    const size_t from = first_len & variant->slice_mask, to = from - variant->slice_mask;
    if (first == dst || second_len != len - first_len || first_len > len || !second ||
        vg_overlaps(dst, len, second, len))
        return vg_seal_slices(gcm, nonce, aad, aad_len, src, dst, len, tag, 12, 2, VG_WAY_BY_LEN);
    if (len < variant->copy_below || !from || to > tail || len - to < 16) {
        size_t at = vg_split_at(gcm, len);
        if (first_len < at)
            at = 0;
        vg_copy_text(dst + at, first + at, first_len - at);
        vg_copy_text(dst + first_len, second, second_len);
        if (at)
            return VG_CALL_FORM(gcm, seal_split)(gcm, nonce, aad, aad_len, first, dst, len, tag);
        return VG_CALL_FORM(gcm, seal)(gcm, nonce, aad, aad_len, dst, dst, len, tag);
    }
    const struct vg_slice runs[] = {{first, from}, {dst + from, to - from}, {second + (to - first_len), len - to}};
    vg_copy_end(dst, first, first_len, from);
    vg_copy_begin(dst + first_len, second, to - first_len);
    return VG_CALL_FORM(gcm, seal_slices)(gcm, nonce, aad, aad_len, runs, dst, len, tag);
}

/* A record and its content type, which most gathers are, in arguments that pass every check in a few instructions. What
 * is not plain may still be right. */
enum vg_status vg_aes_gcm_seal_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                      const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n,
                                      uint8_t *dst, size_t len, uint8_t tag[16])
{
    if (n != 2 || !src || !vg_is_plain(gcm, nonce, nonce_len, aad, aad_len, src[0].data, dst, len, tag))
        return vg_gather(gcm, nonce, aad, aad_len, src, dst, len, tag, nonce_len, n);
    const uint8_t *first = src[0].data, *last = src[1].data;
    const size_t at = vg_split_at(gcm, len);
    if (!at || src[0].len != len - 1 || src[1].len != 1 || !last || vg_overlaps(dst, len, last, 1))
        return seal_pair(gcm, nonce, aad, aad_len, src, dst, len, tag);
    dst[len - 1] = *last;
    vg_copy_end(dst, first, len - 1, at);
    return VG_CALL_FORM(gcm, seal_split)(gcm, nonce, aad, aad_len, first, dst, len, tag);
}
