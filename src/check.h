/* The checks that come before anything is written. */
#ifndef VG_SRC_CHECK_H
#define VG_SRC_CHECK_H

#include "internal.h"

static inline enum vg_status vg_check_nonce_len(size_t nonce_len)
{
    if (nonce_len == 12)
        return VG_OK;
    return VG_ANY_NONCE && nonce_len && nonce_len <= VG_NONCE_MAX ? VG_OK : VG_ERR_NONCE_LEN;
}

/* SP 800-38D, section 5.2.1.2: 16 to 12 bytes, and 8 and 4 for some applications. */
static inline enum vg_status vg_check_tag_len(size_t tag_len)
{
    if (tag_len == 16)
        return VG_OK;
    return VG_TRUNCATED_TAGS && tag_len < 16 && (0xf110u >> tag_len & 1) ? VG_OK : VG_ERR_TAG_LEN;
}

/* What all messages share; text is for vg_check_text. */
enum vg_status vg_check_message(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                const uint8_t *aad, size_t aad_len, const uint8_t *tag, size_t tag_len);
/* src[len] and dst[len], and that dst has nothing of tag[tag_len]; a tag_len of 0 asks nothing. The first is for where
 * a call would be felt. */
static inline enum vg_status vg_text_status(const uint8_t *src, const uint8_t *dst, size_t len, const uint8_t *tag,
                                            size_t tag_len)
{
    if (!len)
        return VG_OK;
    if (len > VG_TEXT_MAX)
        return VG_ERR_TEXT_LEN;
    if (!src || !dst)
        return VG_ERR_NULL;
    if (vg_overlaps_partly(dst, src, len) || (tag_len && vg_overlaps(dst, len, tag, tag_len)))
        return VG_ERR_OVERLAP;
    return VG_OK;
}
enum vg_status vg_check_text(const uint8_t *src, const uint8_t *dst, size_t len, const uint8_t *tag, size_t tag_len);

#endif
