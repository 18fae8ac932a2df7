/* A message in pieces that begin and end anywhere. Between calls, len % 16 (aad_len % 16 before the text) bytes of
 * `block` are used; the others are zero, so that the block can be hashed as it is. While a block of text is under way,
 * `keystream` is its keystream. */
#include "internal.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static void hash_block(struct vg_aes_gcm_stream *stream)
{
    VG_CALL_FORM(stream->gcm, ghash)(stream->gcm, stream->y, stream->block, 1);
    vg_store128(stream->block, (vg_block){0});
}

void vg_pieces_begin(struct vg_aes_gcm_stream *stream, const struct vg_aes_gcm *gcm, const uint8_t *nonce,
                     size_t nonce_len)
{
    vg_zero_blocks((uint8_t *)stream, sizeof *stream / 16);
    stream->gcm = gcm;
    vg_j0(gcm, stream->counter, nonce, nonce_len);
    VG_CALL(gcm, ctr32_to)(gcm, stream->counter, stream->mask, stream->mask, 1);
}

/* Put len bytes, 1 to 15, into the block behind the `used` that are there. */
static void add_to_block(struct vg_aes_gcm_stream *stream, size_t used, struct vg_halves bytes)
{
    vg_store128(stream->block, vg_load128(stream->block) | vg_block_of(vg_move_up(bytes, used)));
}

void vg_pieces_aad(struct vg_aes_gcm_stream *stream, const uint8_t *aad, size_t len)
{
    size_t used = stream->aad_len % 16, head = used ? smaller(16 - used, len) : 0;
    stream->aad_len += len;
    if (head) {
        add_to_block(stream, used, vg_load_partial(aad, head));
        if (used + head == 16)
            hash_block(stream);
        aad += head;
        len -= head;
    }
    if (len / 16)
        VG_CALL_FORM(stream->gcm, ghash)(stream->gcm, stream->y, aad, len / 16);
    if (len % 16)
        add_to_block(stream, 0, vg_load_partial(aad + len / 16 * 16, len % 16));
}

/* 1 to 15 bytes of the block under way, from its byte number `used` on. */
static void crypt_within_block(struct vg_aes_gcm_stream *stream, size_t used, const uint8_t *src, uint8_t *dst,
                               size_t len, int encrypt)
{
    struct vg_halves text = vg_load_partial(src, len), other = vg_load_partial(stream->keystream + used, len);
    other = (struct vg_halves){text.low ^ other.low, text.high ^ other.high};
    vg_store_partial(dst, other, len);
    add_to_block(stream, used, encrypt ? other : text);
}

/* The keystream of the block after so many others. The counter stays. */
static void keystream_after(struct vg_aes_gcm_stream *stream, size_t blocks)
{
    uint8_t counter[16];
    vg_add32(counter, stream->counter, (uint32_t)blocks);
    vg_store128(stream->keystream, (vg_block){0});
    VG_CALL(stream->gcm, ctr32_to)(stream->gcm, counter, stream->keystream, stream->keystream, 1);
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
        if (used + head == 16)
            hash_block(stream);
        src += head;
        dst += head;
        len -= head;
    }
    /* The keystream of the rest first, so that the CPU computes it while the whole blocks begin. */
    size_t whole = len / 16, rest = len % 16;
    if (rest)
        keystream_after(stream, whole);
    if (whole) {
#if VG_OPEN
        if (!encrypt)
            VG_CALL_FORM(gcm, decrypt_blocks_to)(gcm, stream->counter, stream->y, src, dst, whole);
        else
#endif
            VG_CALL_FORM(gcm, encrypt_blocks_to)(gcm, stream->counter, stream->y, src, dst, whole);
    }
    if (rest) {
        vg_add32(stream->counter, stream->counter, 1);
        crypt_within_block(stream, 0, src + 16 * whole, dst + 16 * whole, rest, encrypt);
    }
}

void vg_pieces_tag(struct vg_aes_gcm_stream *stream, uint8_t tag[16])
{
    /* What is left of a block, and the lengths, hashed in one call. */
    _Static_assert(sizeof *stream % 16 == 0, "a stream is whole blocks");
    uint8_t blocks[2][16];
    size_t rest = (stream->len ? stream->len : stream->aad_len) % 16 != 0;
    vg_store128(blocks[0], vg_load128(stream->block));
    vg_store128(blocks[1], vg_lengths(stream->aad_len, stream->len));
    VG_CALL_FORM(stream->gcm, ghash)(stream->gcm, stream->y, blocks[!rest], 1 + rest);
    vg_store128(tag, vg_load128(stream->y) ^ vg_load128(stream->mask));
    vg_wipe(blocks[0], 16);
    if (VG_WIPE)
        vg_zero_blocks((uint8_t *)stream, sizeof *stream / 16);
}
