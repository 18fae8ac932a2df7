#include "check.h"

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

static void crypt_chain(struct vg_aes_gcm_stream *stream, const struct vg_segment *segments, size_t n, int encrypt)
{
    for (size_t i = 0; i < n; i++)
        vg_pieces_crypt(stream, segments[i].src, segments[i].dst, segments[i].len, encrypt);
}

static uint64_t total_len(const struct vg_segment *segments, size_t n)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += segments[i].len;
    return total;
}

enum vg_status vg_aes_gcm_seal_chain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const struct vg_segment *segments, size_t n,
                                     uint8_t tag[16])
{
    enum vg_status status = vg_check_message(gcm, nonce, nonce_len, aad, aad_len, tag);
    if (!status)
        status = check_chain(segments, n, tag, 16);
    if (status)
        return status;
    struct vg_aes_gcm_stream stream;
    vg_count_call(gcm, total_len(segments, n));
    vg_pieces_begin(&stream, gcm, nonce, nonce_len);
    vg_pieces_aad(&stream, aad, aad_len);
    crypt_chain(&stream, segments, n, 1);
    vg_pieces_tag(&stream, tag);
    return VG_OK;
}

#if VG_OPEN
/* Encrypt again what was decrypted in place, and zero the rest. */
static void undo_chain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                       const struct vg_segment *segments, size_t n)
{
    struct vg_aes_gcm_stream stream;
    vg_pieces_begin(&stream, gcm, nonce, nonce_len);
    for (size_t i = 0; i < n; i++) {
        const struct vg_segment *s = segments + i;
        /* Out of place, the ciphertext goes through dst only to move the keystream on. */
        vg_pieces_crypt(&stream, s->src, s->dst, s->len, 1);
        if (s->src != s->dst)
            vg_zero(s->dst, s->len);
    }
    vg_wipe(&stream, sizeof stream);
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
    struct vg_aes_gcm_stream stream;
    uint8_t expected[16];
    vg_count_call(gcm, total_len(segments, n));
    vg_pieces_begin(&stream, gcm, nonce, nonce_len);
    vg_pieces_aad(&stream, aad, aad_len);
    crypt_chain(&stream, segments, n, 0);
    vg_pieces_tag(&stream, expected);
    int good = vg_equal(expected, tag, tag_len);
    vg_wipe(expected, sizeof expected);
    if (!good)
        undo_chain(gcm, nonce, nonce_len, segments, n);
    return good ? VG_OK : VG_ERR_AUTH;
}
#endif
