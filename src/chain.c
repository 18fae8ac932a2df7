/* One text in segments. A short one goes through a buffer on the stack, in which it is sealed or opened as a whole; a
 * long one is sealed or opened where it lies. */
#include "check.h"
#include "whole.h"

/* The segments' sum to *len. */
static enum vg_status check_chain(const struct vg_segment *segments, size_t n, const uint8_t *tag, size_t tag_len,
                                  uint64_t *len)
{
    uint64_t total = 0;
    if (n && !segments)
        return VG_ERR_NULL;
    for (const struct vg_segment *s = segments; n; n--, s++) {
        if (s->len > VG_TEXT_MAX - total)
            return VG_ERR_TEXT_LEN;
        enum vg_status status = vg_text_status(s->src, s->dst, s->len, tag, tag_len);
        if (status)
            return status;
        total += s->len;
    }
    *len = total;
    return VG_OK;
}

VG_NOINLINE static void crypt_pieces(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const struct vg_segment *segments, size_t n,
                                     uint8_t tag[16], uint32_t direction)
{
    struct vg_aes_gcm_stream stream;
    vg_pieces_begin(&stream, gcm, nonce, nonce_len);
    vg_pieces_aad(&stream, aad, aad_len);
    for (size_t i = 0; i < n; i++)
        vg_pieces_crypt(&stream, segments[i].src, segments[i].dst, segments[i].len, direction);
    vg_pieces_tag(&stream, tag);
}

#if VG_CHAIN_BUFFER
static void spread(const uint8_t *text, const struct vg_segment *segments, size_t n)
{
    for (size_t i = 0; i < n; text += segments[i++].len)
        vg_copy_text(segments[i].dst, text, segments[i].len);
}

/* What most chains are: a text that fits, in segments that pass every check in a few instructions. VG_ERR_TEXT_LEN for
 * others, which may still be right. */
VG_NOINLINE static enum vg_status seal_in_buffer(const struct vg_aes_gcm *gcm, const uint8_t *nonce, const uint8_t *aad,
                                                 size_t aad_len, const struct vg_segment *segments, size_t n,
                                                 uint8_t tag[16])
{
    uint8_t text[VG_CHAIN_BUFFER]; /* ends as ciphertext: nothing to wipe */
    size_t len = 0;
    text[0] = 0; /* without segments nothing of it is read, but compilers cannot tell */
    for (size_t i = 0; i < n; len += segments[i++].len) {
        const struct vg_segment *s = segments + i;
        if (s->len > VG_CHAIN_BUFFER - len || vg_text_status(s->src, s->dst, s->len, tag, 16)) {
            vg_wipe(text, len);
            return VG_ERR_TEXT_LEN;
        }
        vg_copy_text(text + len, s->src, s->len);
    }
    vg_count_call(gcm, len);
    VG_CALL_FORM(gcm, seal)(gcm, nonce, aad, aad_len, text, text, len, tag);
    spread(text, segments, n);
    return VG_OK;
}
#endif

enum vg_status vg_aes_gcm_seal_chain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const struct vg_segment *segments, size_t n,
                                     uint8_t tag[16])
{
    uint64_t len = 0;
#if VG_CHAIN_BUFFER
    for (size_t i = 0; segments && i < n; i++)
        len += segments[i].len;
    if (segments && n != 1 && len <= VG_CHAIN_BUFFER &&
        vg_is_plain(gcm, nonce, nonce_len, aad, aad_len, tag, tag, 0, tag) &&
        !seal_in_buffer(gcm, nonce, aad, aad_len, segments, n, tag))
        return VG_OK;
#endif
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag, 16);
    if (!status)
        status = check_chain(segments, n, tag, 16, &len);
    if (status)
        return status;
    if (n == 1) {
        vg_seal_whole(gcm, nonce, nonce_len, aad, aad_len, segments->src, segments->dst, segments->len, tag);
        return VG_OK;
    }
    vg_count_call(gcm, len);
    crypt_pieces(gcm, nonce, nonce_len, aad, aad_len, segments, n, tag, 0);
    return VG_OK;
}

#if VG_OPEN
/* Every segment in place is ciphertext still. */
static void zero_the_others(const struct vg_segment *segments, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (segments[i].src != segments[i].dst)
            vg_zero(segments[i].dst, segments[i].len);
}

#if VG_CHAIN_BUFFER
static void collect(uint8_t *text, const struct vg_segment *segments, size_t n)
{
    text[0] = 0; /* without segments nothing of it is read, but compilers cannot tell */
    for (size_t i = 0; i < n; text += segments[i++].len)
        vg_copy_text(text, segments[i].src, segments[i].len);
}

VG_NOINLINE static int open_in_buffer(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                      const uint8_t *aad, size_t aad_len, const struct vg_segment *segments, size_t n,
                                      size_t len, const uint8_t *tag, size_t tag_len)
{
    uint8_t text[VG_CHAIN_BUFFER];
    collect(text, segments, n);
    int good = vg_open_whole(gcm, nonce, nonce_len, aad, aad_len, text, text, len, tag, tag_len) == VG_VERDICT_GOOD;
    if (good)
        spread(text, segments, n);
    vg_wipe(text, len);
    return good;
}
#endif

static int open_in_pieces(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                          size_t aad_len, const struct vg_segment *segments, size_t n, const uint8_t *tag,
                          size_t tag_len)
{
    uint8_t expected[16];
    crypt_pieces(gcm, nonce, nonce_len, aad, aad_len, segments, n, expected, VG_RUN_DECRYPT);
    int good = vg_equal(expected, tag, tag_len);
    if (!good) /* encrypt again; out of place, the text goes through dst only to move the keystream on */
        crypt_pieces(gcm, nonce, nonce_len, NULL, 0, segments, n, expected, 0);
    vg_wipe(expected, sizeof expected);
    return good;
}

enum vg_status vg_aes_gcm_open_chain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const struct vg_segment *segments, size_t n,
                                     const uint8_t *tag, size_t tag_len)
{
    uint64_t len;
    int good;
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag, tag_len);
    if (!status)
        status = check_chain(segments, n, tag, tag_len, &len);
    if (status)
        return status;
#if VG_CHAIN_BUFFER
    if (len <= VG_CHAIN_BUFFER) {
        good = open_in_buffer(gcm, nonce, nonce_len, aad, aad_len, segments, n, len, tag, tag_len);
    } else
#endif
    {
        vg_count_call(gcm, len);
        good = open_in_pieces(gcm, nonce, nonce_len, aad, aad_len, segments, n, tag, tag_len);
    }
    if (!good)
        zero_the_others(segments, n);
    return good ? VG_OK : VG_ERR_AUTH;
}
#endif
