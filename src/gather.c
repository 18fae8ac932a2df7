#include "check.h"
#include "slices.h"

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

/* What most gathers are: a record and its content type (or the rest of a text, in place), in arguments that pass every
 * check in a few instructions. What is not plain may still be right; in small code nothing is. */
static inline int is_plain_pair(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n,
                                const uint8_t *dst, size_t len, const uint8_t *tag)
{
    if (VG_OPTIMIZE_SIZE || n != 2 || !src)
        return 0;
    const uint8_t *first = src[0].data, *second = src[1].data;
    size_t first_len = src[0].len, second_len = src[1].len;
    if (!first || !second || !first_len || first_len + second_len != len || first_len > len)
        return 0;
    uintptr_t first_gap = (uintptr_t)first - (uintptr_t)dst + first_len,
              second_gap = (uintptr_t)second - (uintptr_t)dst + second_len;
    if (first_gap - 1 < len + first_len - 1 ||
        ((uintptr_t)second - (uintptr_t)dst != first_len && second_gap - 1 < len + second_len - 1))
        return 0;
    return vg_is_plain(gcm, nonce, nonce_len, aad, aad_len, dst, dst, len, tag);
}

/* The two ways that copy; 0 if the text is one to stream. */
static inline int seal_pair(const struct vg_aes_gcm *gcm, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                            const struct vg_slice *src, uint8_t *dst, size_t len, uint8_t tag[16])
{
    const struct vg_variant *variant = VG_VARIANT(gcm);
    const uint8_t *first = src[0].data;
    size_t first_len = src[0].len, from = 0;
    int split = len >= variant->split_from && vg_can_split(gcm, 12, src, len);
    if (split)
        from = vg_last_unit(variant, len);
    else if (len >= variant->copy_below)
        return 0;
    if (from < first_len)
        vg_copy_text(dst + from, first + from, first_len - from);
    if (src[1].data != dst + first_len)
        vg_copy_text(dst + first_len, src[1].data, src[1].len);
    if (split)
        VG_CALL_FORM(gcm, seal_split)(gcm, nonce, aad, aad_len, first, dst, len, tag);
    else
        VG_CALL_FORM(gcm, seal)(gcm, nonce, aad, aad_len, dst, dst, len, tag);
    return 1;
}

VG_NOINLINE static enum vg_status gather_other(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                               const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n,
                                               uint8_t *dst, size_t len, uint8_t *tag)
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag, 16);
    if (!status)
        status = vg_check_text(dst, dst, len, tag, 16);
    if (!status)
        status = check_slices(src, n, dst, len);
    if (!status)
        vg_seal_slices(gcm, nonce, nonce_len, aad, aad_len, src, n, dst, len, tag);
    return status;
}

enum vg_status vg_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                         size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst, size_t len, uint8_t *tag)
{
    if (is_plain_pair(gcm, nonce, nonce_len, aad, aad_len, src, n, dst, len, tag) &&
        seal_pair(gcm, nonce, aad, aad_len, src, dst, len, tag))
        return VG_OK;
    return gather_other(gcm, nonce, nonce_len, aad, aad_len, src, n, dst, len, tag);
}

#if VG_GATHER
enum vg_status vg_aes_gcm_seal_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                      const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n,
                                      uint8_t *dst, size_t len, uint8_t tag[16])
{
    return vg_gather(gcm, nonce, nonce_len, aad, aad_len, src, n, dst, len, tag);
}
#endif
