/* The order of a stream's calls, on top of pieces.c. */
#include "check.h"

/* Values of vg_aes_gcm_stream.state; a stream of zeros was never begun, or has ended. */
enum { ENDED, AAD, ENCRYPTING, DECRYPTING };

enum vg_status vg_aes_gcm_stream_init(struct vg_aes_gcm_stream *stream, const struct vg_aes_gcm *gcm,
                                      const uint8_t *nonce, size_t nonce_len)
{
    if (!stream || !gcm || !nonce)
        return VG_ERR_NULL;
    if (!gcm->rounds)
        return VG_ERR_KEY;
    enum vg_status status = vg_check_nonce_len(nonce_len);
    if (status)
        return status;
    vg_pieces_begin(stream, gcm, nonce, nonce_len);
    stream->state = AAD;
    return VG_OK;
}

enum vg_status vg_aes_gcm_stream_aad(struct vg_aes_gcm_stream *stream, const uint8_t *aad, size_t len)
{
    if (!stream || (!aad && len))
        return VG_ERR_NULL;
    if (stream->state != AAD)
        return VG_ERR_ORDER;
    if (len > VG_AAD_MAX - stream->aad_len)
        return VG_ERR_AAD_LEN;
    vg_pieces_aad(stream, aad, len);
    return VG_OK;
}

static inline enum vg_status crypt(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst, size_t len,
                                   uint32_t state)
{
    if (!stream)
        return VG_ERR_NULL;
    if (stream->state != AAD && stream->state != state)
        return VG_ERR_ORDER;
    if (len > VG_TEXT_MAX - stream->len)
        return VG_ERR_TEXT_LEN;
    enum vg_status status = vg_text_status(src, dst, len, NULL, 0);
    if (status)
        return status;
    stream->state = state;
    vg_count_call(stream->gcm, len);
    vg_pieces_crypt(stream, src, dst, len, state == DECRYPTING ? VG_RUN_DECRYPT : 0);
    return VG_OK;
}

enum vg_status vg_aes_gcm_stream_encrypt_to(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst,
                                            size_t len)
{
    return crypt(stream, src, dst, len, ENCRYPTING);
}

enum vg_status vg_aes_gcm_stream_encrypt(struct vg_aes_gcm_stream *stream, uint8_t *text, size_t len)
{
    return crypt(stream, text, text, len, ENCRYPTING);
}

enum vg_status vg_aes_gcm_stream_finish(struct vg_aes_gcm_stream *stream, uint8_t tag[16])
{
    if (!stream || !tag)
        return VG_ERR_NULL;
    if (stream->state != AAD && stream->state != ENCRYPTING)
        return VG_ERR_ORDER;
    vg_pieces_tag(stream, tag);
    stream->state = ENDED;
    return VG_OK;
}

#if VG_OPEN
enum vg_status vg_aes_gcm_stream_decrypt_to(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst,
                                            size_t len)
{
    return crypt(stream, src, dst, len, DECRYPTING);
}

enum vg_status vg_aes_gcm_stream_decrypt(struct vg_aes_gcm_stream *stream, uint8_t *text, size_t len)
{
    return crypt(stream, text, text, len, DECRYPTING);
}

enum vg_status vg_aes_gcm_stream_verify(struct vg_aes_gcm_stream *stream, const uint8_t *tag, size_t tag_len)
{
    if (!stream || !tag)
        return VG_ERR_NULL;
    if (stream->state != AAD && stream->state != DECRYPTING)
        return VG_ERR_ORDER;
    enum vg_status status = vg_check_tag_len(tag_len);
    if (status)
        return status;
    uint8_t expected[16];
    vg_pieces_tag(stream, expected);
    stream->state = ENDED;
    int good = vg_equal(expected, tag, tag_len);
    vg_wipe(expected, sizeof expected);
    return good ? VG_OK : VG_ERR_AUTH;
}
#endif
