/* A message in pieces that begin and end anywhere. Between calls, len % 16 (aad_len % 16 before the text) bytes of
 * `block` are used; the others are zero, so that the block can be hashed as it is. */
#include "internal.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static void hash_block(struct vg_aes_gcm_stream *stream)
{
    VG_CALL_FORM(stream->gcm, ghash)(stream->gcm, stream->y, stream->block, 1);
    vg_zero(stream->block, 16);
}

void vg_pieces_begin(struct vg_aes_gcm_stream *stream, const struct vg_aes_gcm *gcm, const uint8_t *nonce,
                     size_t nonce_len)
{
    vg_zero(stream, sizeof *stream);
    stream->gcm = gcm;
    vg_j0(gcm, stream->counter, nonce, nonce_len);
    VG_CALL(gcm, ctr32_to)(gcm, stream->counter, stream->mask, stream->mask, 1);
}

void vg_pieces_aad(struct vg_aes_gcm_stream *stream, const uint8_t *aad, size_t len)
{
    size_t used = stream->aad_len % 16, head = used ? smaller(16 - used, len) : 0;
    stream->aad_len += len;
    vg_copy(stream->block + used, aad, head);
    if (used && used + head == 16)
        hash_block(stream);
    if (head == len)
        return;
    aad += head;
    len -= head;
    if (len / 16)
        VG_CALL_FORM(stream->gcm, ghash)(stream->gcm, stream->y, aad, len / 16);
    vg_copy(stream->block, aad + len / 16 * 16, len % 16);
}

/* Bytes of the block under way, from its byte number `used` on. */
static void crypt_within_block(struct vg_aes_gcm_stream *stream, size_t used, const uint8_t *src, uint8_t *dst,
                               size_t len, int encrypt)
{
    if (!encrypt)
        vg_copy(stream->block + used, src, len);
    vg_xor(dst, src, stream->keystream + used, len);
    if (encrypt)
        vg_copy(stream->block + used, dst, len);
    if (used + len == 16)
        hash_block(stream);
}

void vg_pieces_crypt(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst, size_t len, int encrypt)
{
    const struct vg_aes_gcm *gcm = stream->gcm;
    if (!len)
        return;
    if (!stream->len && stream->aad_len % 16)
        hash_block(stream);
    size_t used = stream->len % 16, head = used ? smaller(16 - used, len) : 0;
    stream->len += len;
    if (head) {
        crypt_within_block(stream, used, src, dst, head, encrypt);
        src += head;
        dst += head;
        len -= head;
    }
    size_t whole = len / 16;
    if (whole) {
#if VG_OPEN
        if (!encrypt)
            VG_CALL_FORM(gcm, decrypt_blocks_to)(gcm, stream->counter, stream->y, src, dst, whole);
        else
#endif
            VG_CALL_FORM(gcm, encrypt_blocks_to)(gcm, stream->counter, stream->y, src, dst, whole);
    }
    if (len % 16) {
        vg_zero(stream->keystream, 16);
        VG_CALL(gcm, ctr32_to)(gcm, stream->counter, stream->keystream, stream->keystream, 1);
        crypt_within_block(stream, 0, src + 16 * whole, dst + 16 * whole, len % 16, encrypt);
    }
}

void vg_pieces_tag(struct vg_aes_gcm_stream *stream, uint8_t tag[16])
{
    if ((stream->len ? stream->len : stream->aad_len) % 16)
        hash_block(stream);
    vg_store_be64(stream->block, stream->aad_len * 8);
    vg_store_be64(stream->block + 8, stream->len * 8);
    hash_block(stream);
    vg_xor(tag, stream->y, stream->mask, 16);
    vg_wipe(stream, sizeof *stream);
}
