/* One text in segments. A short one goes through a buffer on the stack, in which it is sealed or opened as a whole; a
 * long one is sealed or opened where it lies. */
#include "check.h"
#include "whole.h"

static enum vg_status check_chain(const struct vg_segment *segments, size_t n, const uint8_t *tag, size_t tag_len)
{
    uint64_t total = 0;
    if (n && !segments)
        return VG_ERR_NULL;
    for (size_t i = 0; i < n; i++) {
        const struct vg_segment *s = segments + i;
        if (s->len > VG_TEXT_MAX - total)
            return VG_ERR_TEXT_LEN;
        total += s->len;
        enum vg_status status = vg_check_text(s->src, s->dst, s->len);
        if (!status)
            status = vg_check_tag_place(s->dst, s->len, tag, tag_len);
        if (status)
            return status;
    }
    return VG_OK;
}

static uint64_t total_len(const struct vg_segment *segments, size_t n)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += segments[i].len;
    return total;
}

static void crypt_chain(struct vg_aes_gcm_stream *stream, const struct vg_segment *segments, size_t n,
                        uint32_t direction)
{
    for (size_t i = 0; i < n; i++)
        vg_pieces_crypt(stream, segments[i].src, segments[i].dst, segments[i].len, direction);
}

#if VG_CHAIN_BUFFER
static void collect(uint8_t *text, const struct vg_segment *segments, size_t n)
{
    text[0] = 0; /* without segments nothing of it is read, but compilers cannot tell */
    for (size_t i = 0; i < n; text += segments[i++].len)
        vg_copy_text(text, segments[i].src, segments[i].len);
}

static void spread(const uint8_t *text, const struct vg_segment *segments, size_t n)
{
    for (size_t i = 0; i < n; text += segments[i++].len)
        vg_copy_text(segments[i].dst, text, segments[i].len);
}

static void seal_in_buffer(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                           size_t aad_len, const struct vg_segment *segments, size_t n, size_t len, uint8_t tag[16])
{
    uint8_t text[VG_CHAIN_BUFFER]; /* ends as ciphertext: nothing to wipe */
    collect(text, segments, n);
    vg_seal_whole(gcm, nonce, nonce_len, aad, aad_len, text, text, len, tag);
    spread(text, segments, n);
}
#endif

enum vg_status vg_aes_gcm_seal_chain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const struct vg_segment *segments, size_t n,
                                     uint8_t tag[16])
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag);
    if (!status)
        status = check_chain(segments, n, tag, 16);
    if (status)
        return status;
    uint64_t len = total_len(segments, n);
    if (n == 1) {
        vg_seal_whole(gcm, nonce, nonce_len, aad, aad_len, segments->src, segments->dst, segments->len, tag);
        return VG_OK;
    }
#if VG_CHAIN_BUFFER
    if (len <= VG_CHAIN_BUFFER) {
        seal_in_buffer(gcm, nonce, nonce_len, aad, aad_len, segments, n, len, tag);
        return VG_OK;
    }
#endif
    struct vg_aes_gcm_stream stream;
    vg_count_call(gcm, len);
    vg_pieces_begin(&stream, gcm, nonce, nonce_len);
    vg_pieces_aad(&stream, aad, aad_len);
    crypt_chain(&stream, segments, n, 0);
    vg_pieces_tag(&stream, tag);
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
static int open_in_buffer(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                          size_t aad_len, const struct vg_segment *segments, size_t n, size_t len, const uint8_t *tag,
                          size_t tag_len)
{
    uint8_t text[VG_CHAIN_BUFFER];
    collect(text, segments, n);
    uint32_t verdict = vg_open_whole(gcm, nonce, nonce_len, aad, aad_len, text, text, len, tag, tag_len);
    if (verdict == VG_VERDICT_GOOD)
        spread(text, segments, n);
    else
        zero_the_others(segments, n);
    vg_wipe(text, len);
    return verdict == VG_VERDICT_GOOD;
}
#endif

/* Encrypt again what was decrypted in place, and zero the rest. */
static void undo_chain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                       const struct vg_segment *segments, size_t n)
{
    struct vg_aes_gcm_stream stream;
    vg_pieces_begin(&stream, gcm, nonce, nonce_len);
    /* Out of place, the ciphertext goes through dst only to move the keystream on. */
    crypt_chain(&stream, segments, n, 0);
    zero_the_others(segments, n);
    vg_wipe(&stream, sizeof stream);
}

static int open_in_pieces(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                          size_t aad_len, const struct vg_segment *segments, size_t n, uint64_t len, const uint8_t *tag,
                          size_t tag_len)
{
    struct vg_aes_gcm_stream stream;
    uint8_t expected[16];
    vg_count_call(gcm, len);
    vg_pieces_begin(&stream, gcm, nonce, nonce_len);
    vg_pieces_aad(&stream, aad, aad_len);
    crypt_chain(&stream, segments, n, VG_RUN_DECRYPT);
    vg_pieces_tag(&stream, expected);
    int good = vg_equal(expected, tag, tag_len);
    vg_wipe(expected, sizeof expected);
    if (!good)
        undo_chain(gcm, nonce, nonce_len, segments, n);
    return good;
}

enum vg_status vg_aes_gcm_open_chain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const struct vg_segment *segments, size_t n,
                                     const uint8_t *tag, size_t tag_len)
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag);
    if (!status)
        status = vg_check_tag_len(tag_len);
    if (!status)
        status = check_chain(segments, n, tag, tag_len);
    if (status)
        return status;
    uint64_t len = total_len(segments, n);
    int good;
#if VG_CHAIN_BUFFER
    if (len <= VG_CHAIN_BUFFER)
        good = open_in_buffer(gcm, nonce, nonce_len, aad, aad_len, segments, n, len, tag, tag_len);
    else
#endif
        good = open_in_pieces(gcm, nonce, nonce_len, aad, aad_len, segments, n, len, tag, tag_len);
    return good ? VG_OK : VG_ERR_AUTH;
}
#endif
