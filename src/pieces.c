/* A message in pieces that begin and end anywhere (SP 800-38D, sections 6 and 7). Between calls, len % 16 (aad_len % 16
 * before the text) bytes of run.block are used; the others are zero, so that the block can be hashed as it is. While a
 * block of text is under way, run.keystream is its keystream. */
#include "internal.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* How many bytes of a block so many bytes leave, for the next piece to begin behind them. Many builds know but one. */
static size_t used_by_aad(uint64_t len) { return VG_STREAM ? len % 16 : 0; }
static size_t used_by_text(uint64_t len) { return VG_STREAM || VG_CHAIN ? len % 16 : 0; }

static void hash_block(struct vg_aes_gcm_stream *stream)
{
    VG_DO_FORM(stream->gcm, ghash, stream->gcm, stream->run.y, stream->run.block, 1);
}

/* Put len bytes, 1 to 15, into the block behind the `used` that are there. */
static void add_to_block(struct vg_aes_gcm_stream *stream, size_t used, struct vg_halves bytes)
{
    vg_store128(stream->run.block, vg_load128(stream->run.block) | vg_block_of(vg_move_up(bytes, used)));
}

static void hash_aad(struct vg_aes_gcm_stream *stream, const uint8_t *aad, size_t len)
{
    if (len / 16)
        VG_DO_FORM(stream->gcm, ghash, stream->gcm, stream->run.y, aad, len / 16);
    if (len % 16)
        add_to_block(stream, 0, vg_load_partial(aad + len / 16 * 16, len % 16));
}

static void clear_block(struct vg_aes_gcm_stream *stream) { vg_store128(stream->run.block, (vg_block){0}); }

/* J0 of SP 800-38D, section 7.1, for a nonce of another length than 12. */
static void hash_nonce(struct vg_aes_gcm_stream *stream, const uint8_t *nonce, size_t nonce_len)
{
    hash_aad(stream, nonce, nonce_len);
    if (nonce_len % 16)
        hash_block(stream);
    vg_store128(stream->run.block, vg_lengths(0, nonce_len));
    hash_block(stream);
    vg_store128(stream->run.counter, vg_load128(stream->run.y));
    vg_store128(stream->run.y, (vg_block){0});
    clear_block(stream);
}

void vg_pieces_begin(struct vg_aes_gcm_stream *stream, const struct vg_aes_gcm *gcm, const uint8_t *nonce,
                     size_t nonce_len)
{
    _Static_assert(sizeof *stream % 16 == 0, "a stream is whole blocks");
    vg_zero_blocks((uint8_t *)stream, sizeof *stream / 16);
    stream->gcm = gcm;
    if (VG_ANY_NONCE && nonce_len != 12)
        hash_nonce(stream, nonce, nonce_len);
    else
        vg_store128(stream->run.counter, (vg_block){vg_load64(nonce), vg_load32(nonce + 8) | UINT64_C(1) << 56});
    VG_CALL(gcm, ctr32_to)(gcm, stream->run.counter, stream->mask, stream->mask, 1);
}

void vg_pieces_aad(struct vg_aes_gcm_stream *stream, const uint8_t *aad, size_t len)
{
    size_t used = used_by_aad(stream->aad_len), head = used ? smaller(16 - used, len) : 0;
    stream->aad_len += len;
    if (head) {
        add_to_block(stream, used, vg_load_partial(aad, head));
        if (used + head == 16) {
            hash_block(stream);
            clear_block(stream);
        }
    }
    if (len > head)
        hash_aad(stream, aad + head, len - head);
}

static inline struct vg_halves halves_of(vg_block b) { return (struct vg_halves){b[0], b[1]}; }

static inline struct vg_halves halves_xor(struct vg_halves a, struct vg_halves b)
{
    return (struct vg_halves){a.low ^ b.low, a.high ^ b.high};
}

/* 1 to 15 bytes of the block under way, from its byte number `used` on. */
static void crypt_within_block(struct vg_aes_gcm_stream *stream, size_t used, const uint8_t *src, uint8_t *dst,
                               size_t len, uint32_t direction)
{
    struct vg_halves text = vg_load_partial(src, len),
                     other = halves_xor(text, vg_load_partial(stream->run.keystream + used, len));
    vg_store_partial(dst, other, len);
    add_to_block(stream, used, direction == VG_RUN_DECRYPT ? text : other);
}

/* The same up to its end, of a text of 16 bytes or more. What is behind the bytes is read, from src and from the
 * stream, and put behind the block, where the keystream was. */
static inline void crypt_to_end_of_block(struct vg_aes_gcm_stream *stream, size_t used, const uint8_t *src,
                                         uint8_t *dst, uint32_t direction)
{
    _Static_assert(offsetof(struct vg_run, keystream) == offsetof(struct vg_run, block) + 16 &&
                       offsetof(struct vg_aes_gcm_stream, mask) == sizeof(struct vg_run),
                   "keystream follows block, and mask follows keystream");
    const uint8_t *keystream = (const uint8_t *)stream + offsetof(struct vg_run, keystream) + used;
    uint8_t *block = (uint8_t *)stream + offsetof(struct vg_run, block) + used;
    vg_block text = vg_load128(src), other = text ^ vg_load128(keystream);
    vg_store128(block, direction == VG_RUN_DECRYPT ? text : other);
    vg_store_partial(dst, halves_of(other), 16 - used);
}

/* The first len bytes of a block, 1 to 15, with keystream that is there. */
static inline void crypt_begin_of_block(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst, size_t len,
                                        uint32_t direction)
{
    const uint64_t low = len < 8 ? vg_up(1, 8 * len) - 1 : UINT64_MAX, high = len > 8 ? vg_up(1, 8 * len - 64) - 1 : 0;
    struct vg_halves text = vg_load_partial(src, len),
                     other = halves_xor(text, halves_of(vg_load128(stream->run.keystream)));
    other = (struct vg_halves){other.low & low, other.high & high};
    vg_store128(stream->run.block, vg_block_of(direction == VG_RUN_DECRYPT ? text : other));
    vg_store_partial(dst, other, len);
}

void vg_begin_block(const struct vg_aes_gcm *gcm, struct vg_run *run)
{
    uint8_t counter[16];
    vg_store128(counter, vg_load128(run->counter));
    vg_store128(run->keystream, (vg_block){0});
    VG_CALL(gcm, ctr32_to)(gcm, counter, run->keystream, run->keystream, 1);
    vg_wipe(counter, sizeof counter);
}

void vg_pieces_crypt(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst, size_t len, uint32_t direction)
{
    if (!len)
        return;
    size_t used = used_by_text(stream->len);
    uint32_t flags = !stream->len && stream->aad_len % 16 ? VG_RUN_BLOCK : 0;
    stream->len += len;
    if (used) {
        size_t head = smaller(16 - used, len);
        if (!VG_STREAM || len < 16)
            crypt_within_block(stream, used, src, dst, head, direction);
        else
            crypt_to_end_of_block(stream, used, src, dst, direction);
        if (used + head < 16)
            return;
        flags = VG_RUN_BLOCK;
        src += head;
        dst += head;
        len -= head;
    }
    size_t whole = len / 16, rest = len % 16;
    if (whole)
        VG_DO_FORM(stream->gcm, crypt_run, stream->gcm, &stream->run, src, dst, whole,
                   flags | (rest ? VG_RUN_KEYSTREAM : 0) | direction);
    else if (flags)
        hash_block(stream);
    if (flags && (!VG_STREAM || !rest))
        clear_block(stream);
    if (!rest)
        return;
    if (!whole)
        vg_begin_block(stream->gcm, &stream->run);
    vg_add32(stream->run.counter, stream->run.counter, 1);
    if (VG_STREAM)
        crypt_begin_of_block(stream, src + 16 * whole, dst + 16 * whole, rest, direction);
    else /* seldom, and in fewer bytes */
        crypt_within_block(stream, 0, src + 16 * whole, dst + 16 * whole, rest, direction);
}

void vg_pieces_tag(struct vg_aes_gcm_stream *stream, uint8_t tag[16])
{
    /* What is left of a block, and the lengths, hashed in one call. */
    uint8_t blocks[2][16];
    size_t rest = (stream->len ? stream->len : stream->aad_len) % 16 != 0;
    vg_store128(blocks[0], vg_load128(stream->run.block));
    vg_store128(blocks[1], vg_lengths(stream->aad_len, stream->len));
    VG_DO_FORM(stream->gcm, ghash, stream->gcm, stream->run.y, blocks[!rest], 1 + rest);
    vg_store128(tag, vg_load128(stream->run.y) ^ vg_load128(stream->mask));
    vg_wipe(blocks[0], 16);
    if (VG_WIPE)
        vg_zero_blocks((uint8_t *)stream, sizeof *stream / 16);
}
