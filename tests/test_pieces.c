/* Does a message in pieces come out as the same message in one call, wherever it is cut? */
#include "harness/check.h"
#include "harness/cuts.h"
#include "harness/guard.h"
#include "harness/message.h"
#include "harness/setups.h"
#include <string.h>
#include <vg/vg.h>

enum { TURNS = 350 };

static struct guard src_room, dst_room;
static struct setup setups[SETUPS_MAX];
static size_t setups_count;
static struct message m;
static struct vg_aes_gcm gcm;
static size_t lens[CUTS_MAX], pieces;

static __attribute__((unused)) void begin(void)
{
    src_room = guard_new(MESSAGE_TEXT_MAX);
    dst_room = guard_new(MESSAGE_TEXT_MAX);
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

#define WHERE  "%s, key %zu, nonce %zu, aad %zu, text %zu in %zu pieces, turn %zu"
#define VALUES setup->label, m.key_len, m.nonce_len, m.aad_len, m.len, pieces, turn

/* A message, a key and a cut for each turn; then f for it. */
static __attribute__((unused)) void each_turn(uint64_t stream,
                                              void (*f)(const struct setup *setup, struct random *r, size_t turn))
{
    static const uint16_t most[] = {48, 80, 300, 700, 1100, 5000};
    struct random r = random_new(stream);
    for (size_t turn = 0; turn < TURNS; turn++) {
        size_t nonce_len = VG_ANY_NONCE && turn % 5 == 4 ? 1 + random_below(&r, 40) : 12;
        message_random(&m, &r, key_sizes[turn % key_sizes_count], nonce_len, random_below(&r, 90),
                       random_below(&r, most[turn % 6] + 1u));
        for (size_t s = 0; s < setups_count; s++) {
            pieces = cuts_make(lens, &r, (enum cuts_style)(turn % CUTS_STYLES), m.len);
            setup_key(&setups[s], &gcm, m.key, m.key_len);
            f(&setups[s], &r, turn);
        }
    }
}

static __attribute__((unused)) int is_sealed(const uint8_t *dst, const uint8_t tag[16])
{
    return !memcmp(dst, m.cipher, m.len) && !memcmp(tag, m.tag, 16);
}

#if VG_STREAM
static void stream_begin(struct vg_aes_gcm_stream *stream, const struct setup *setup, struct random *r, size_t turn)
{
    static size_t aad_lens[CUTS_MAX];
    size_t n = cuts_make(aad_lens, r, (enum cuts_style)random_below(r, CUTS_STYLES), m.aad_len), at = 0;
    CHECK(!vg_aes_gcm_stream_init(stream, &gcm, m.nonce, m.nonce_len), WHERE, VALUES);
    for (size_t i = 0; i < n; at += aad_lens[i++])
        CHECK(!vg_aes_gcm_stream_aad(stream, aad_lens[i] ? m.aad + at : NULL, aad_lens[i]), WHERE, VALUES);
}

static void stream_encrypts(const struct setup *setup, struct random *r, size_t turn)
{
    struct vg_aes_gcm_stream stream;
    uint8_t *src = guard_high(&src_room, m.len), *dst = guard_high(&dst_room, m.len), tag[16];
    stream_begin(&stream, setup, r, turn);
    memcpy(src, m.text, m.len);
    for (size_t i = 0, at = 0; i < pieces; at += lens[i++])
        if (random_below(r, 2)) {
            memcpy(dst + at, m.text + at, lens[i]);
            CHECK(!vg_aes_gcm_stream_encrypt(&stream, lens[i] ? dst + at : NULL, lens[i]), WHERE, VALUES);
        } else {
            CHECK(!vg_aes_gcm_stream_encrypt_to(&stream, src + at, dst + at, lens[i]), WHERE, VALUES);
        }
    CHECK(!vg_aes_gcm_stream_finish(&stream, tag), WHERE, VALUES);
    CHECK(is_sealed(dst, tag), WHERE, VALUES);
}

Test(pieces, stream_encrypts, .init = begin)
{
    each_turn(30, stream_encrypts);
}

/* After each piece a copy of the stream takes over, and the one that was copied is led astray. */
static void stream_survives_copies(const struct setup *setup, struct random *r, size_t turn)
{
    struct vg_aes_gcm_stream stream[2];
    static uint8_t dst[MESSAGE_TEXT_MAX];
    uint8_t tag[16], astray[20] = {0};
    size_t now = 0;
    stream_begin(&stream[0], setup, r, turn);
    for (size_t i = 0, at = 0; i < pieces; at += lens[i++]) {
        stream[!now] = stream[now];
        CHECK(!vg_aes_gcm_stream_encrypt(&stream[now], astray, 1 + at % 20), WHERE, VALUES);
        now = !now;
        CHECK(!vg_aes_gcm_stream_encrypt_to(&stream[now], m.text + at, dst + at, lens[i]), WHERE, VALUES);
    }
    stream[!now] = stream[now];
    CHECK(!vg_aes_gcm_stream_finish(&stream[now], tag), WHERE, VALUES);
    CHECK(is_sealed(dst, tag), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_finish(&stream[!now], tag), WHERE, VALUES);
    CHECK(is_sealed(dst, tag), WHERE, VALUES);
}

Test(pieces, stream_survives_copies, .init = begin)
{
    each_turn(31, stream_survives_copies);
}

/* Two streams under one key by turns, one of them begun anew in the middle of another message. */
static void streams_do_not_mix(const struct setup *setup, struct random *r, size_t turn)
{
    struct vg_aes_gcm_stream a, b;
    static uint8_t dst_a[MESSAGE_TEXT_MAX], dst_b[MESSAGE_TEXT_MAX];
    uint8_t tag_a[16], tag_b[16], astray[21] = {0};
    CHECK(!vg_aes_gcm_stream_init(&b, &gcm, astray, 12), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_aad(&b, astray, 5), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_encrypt(&b, astray, 21), WHERE, VALUES);
    stream_begin(&a, setup, r, turn);
    stream_begin(&b, setup, r, turn);
    for (size_t i = 0, at = 0; i < pieces; at += lens[i++]) {
        CHECK(!vg_aes_gcm_stream_encrypt_to(&a, m.text + at, dst_a + at, lens[i]), WHERE, VALUES);
        CHECK(!vg_aes_gcm_stream_encrypt_to(&b, m.text + at, dst_b + at, lens[i]), WHERE, VALUES);
    }
    CHECK(!vg_aes_gcm_stream_finish(&a, tag_a), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_finish(&b, tag_b), WHERE, VALUES);
    CHECK(is_sealed(dst_a, tag_a) && is_sealed(dst_b, tag_b), WHERE, VALUES);
}

Test(pieces, streams_do_not_mix, .init = begin)
{
    each_turn(32, streams_do_not_mix);
}

#if VG_OPEN
static void stream_decrypts(const struct setup *setup, struct random *r, size_t turn)
{
    struct vg_aes_gcm_stream stream, copy;
    uint8_t *src = guard_high(&src_room, m.len), *dst = guard_high(&dst_room, m.len), wrong[16];
    stream_begin(&stream, setup, r, turn);
    memcpy(src, m.cipher, m.len);
    for (size_t i = 0, at = 0; i < pieces; at += lens[i++])
        if (random_below(r, 2)) {
            memcpy(dst + at, m.cipher + at, lens[i]);
            CHECK(!vg_aes_gcm_stream_decrypt(&stream, lens[i] ? dst + at : NULL, lens[i]), WHERE, VALUES);
        } else {
            CHECK(!vg_aes_gcm_stream_decrypt_to(&stream, src + at, dst + at, lens[i]), WHERE, VALUES);
        }
    copy = stream;
    CHECK(!vg_aes_gcm_stream_verify(&stream, m.tag, 16), WHERE, VALUES);
    CHECK(!memcmp(dst, m.text, m.len), WHERE, VALUES);
    memcpy(wrong, m.tag, 16);
    wrong[turn % 16] ^= (uint8_t)(1 << turn / 16 % 8);
    CHECK(vg_aes_gcm_stream_verify(&copy, wrong, 16) == VG_ERR_AUTH, WHERE, VALUES);
    CHECK(vg_aes_gcm_stream_verify(&copy, m.tag, 16) == VG_ERR_ORDER, WHERE, VALUES);
}

Test(pieces, stream_decrypts, .init = begin)
{
    each_turn(33, stream_decrypts);
}
#endif
#endif

#if VG_GATHER
/* Slices lie apart, or where their ciphertext goes. */
static void gather_seals(const struct setup *setup, struct random *r, size_t turn)
{
    static struct vg_slice slices[CUTS_MAX];
    uint8_t *src = guard_high(&src_room, m.len), *dst = guard_place(&dst_room, m.len, turn % 128), tag[16];
    memcpy(src, m.text, m.len);
    for (size_t i = 0, at = 0; i < pieces; at += lens[i++]) {
        slices[i] = (struct vg_slice){lens[i] ? src + at : NULL, lens[i]};
        if (turn % 3 == 0 && random_below(r, 2)) {
            memcpy(dst + at, src + at, lens[i]);
            slices[i].data = dst + at;
        }
    }
    CHECK(!vg_aes_gcm_seal_gather(&gcm, m.nonce, m.nonce_len, m.aad, m.aad_len, slices, pieces, dst, m.len, tag), WHERE,
          VALUES);
    CHECK(is_sealed(dst, tag), WHERE, VALUES);
}

Test(pieces, gather_seals, .init = begin)
{
    each_turn(34, gather_seals);
}

/* A record and its content-type byte, long enough for every path. */
Test(pieces, gather_seals_long_texts, .init = begin)
{
    static const uint16_t lens_of_text[] = {383,  384,  751,  752,  767,   768,   1024,
                                            1040, 3072, 3080, 4000, 16000, 16384, 17000};
    struct random r = random_new(35);
    for (size_t turn = 0; turn < 6 * sizeof lens_of_text / sizeof *lens_of_text; turn++)
        for (size_t s = 0; s < setups_count; s++) {
            const struct setup *setup = &setups[s];
            message_random(&m, &r, key_sizes[turn % key_sizes_count], 12, 5, lens_of_text[turn / 6] + turn % 6);
            setup_key(setup, &gcm, m.key, m.key_len);
            pieces = 2 + turn % 2;
            lens[0] = m.len - 1 - random_below(&r, 40);
            lens[1] = pieces == 2 ? m.len - lens[0] : random_below(&r, m.len - lens[0] + 1);
            lens[2] = m.len - lens[0] - lens[1];
            gather_seals(setup, &r, turn);
        }
}
#endif

#if VG_SPLIT
static void split_seals(const struct setup *setup, struct random *r, size_t turn)
{
    uint8_t *dst = guard_place(&dst_room, m.len, turn % 128), tag[16];
    for (size_t i = 0, src_len = 0; i <= pieces && i < 20; i++) {
        uint8_t *src = random_below(r, 4) ? guard_high(&src_room, src_len) : dst;
        memcpy(dst, m.text, m.len);
        if (src != dst) {
            memset(dst, 0x11, src_len);
            memcpy(src, m.text, src_len);
        }
        CHECK(!vg_aes_gcm_seal_split(&gcm, m.nonce, m.nonce_len, m.aad, m.aad_len, src_len ? src : NULL, src_len, dst,
                                     m.len, tag),
              WHERE ", %zu from src", VALUES, src_len);
        CHECK(is_sealed(dst, tag), WHERE ", %zu from src", VALUES, src_len);
        src_len += i < pieces ? lens[i] : 0;
    }
}

Test(pieces, split_seals, .init = begin)
{
    each_turn(36, split_seals);
}
#endif

#if VG_CHAIN
static struct vg_segment segments[CUTS_MAX];

/* Segments of which about half are in place; dst is in one piece, for comparing. */
static void make_chain(const uint8_t *text, uint8_t *src, uint8_t *dst, struct random *r)
{
    memcpy(src, text, m.len);
    for (size_t i = 0, at = 0; i < pieces; at += lens[i++]) {
        segments[i] = (struct vg_segment){src + at, dst + at, lens[i]};
        if (!lens[i])
            segments[i] = (struct vg_segment){NULL, NULL, 0};
        else if (random_below(r, 2)) {
            memcpy(dst + at, text + at, lens[i]);
            segments[i].src = dst + at;
        }
    }
}

static void chain_seals(const struct setup *setup, struct random *r, size_t turn)
{
    uint8_t *src = guard_high(&src_room, m.len), *dst = guard_high(&dst_room, m.len), tag[16];
    make_chain(m.text, src, dst, r);
    CHECK(!vg_aes_gcm_seal_chain(&gcm, m.nonce, m.nonce_len, m.aad, m.aad_len, segments, pieces, tag), WHERE, VALUES);
    CHECK(is_sealed(dst, tag), WHERE, VALUES);
}

Test(pieces, chain_seals, .init = begin)
{
    each_turn(37, chain_seals);
}

#if VG_OPEN
static void chain_opens(const struct setup *setup, struct random *r, size_t turn)
{
    uint8_t *src = guard_high(&src_room, m.len), *dst = guard_high(&dst_room, m.len), wrong[16];
    make_chain(m.cipher, src, dst, r);
    memcpy(wrong, m.tag, 16);
    wrong[turn % 16] ^= (uint8_t)(1 << turn / 16 % 8);
    CHECK(vg_aes_gcm_open_chain(&gcm, m.nonce, m.nonce_len, m.aad, m.aad_len, segments, pieces, wrong, 16) ==
              VG_ERR_AUTH,
          WHERE, VALUES);
    CHECK(!memcmp(src, m.cipher, m.len), WHERE, VALUES);
    for (size_t i = 0; i < pieces; i++)
        for (size_t j = 0; j < segments[i].len; j++)
            CHECK(segments[i].dst[j] ==
                      (segments[i].src == segments[i].dst ? m.cipher[segments[i].dst - dst + (ptrdiff_t)j] : 0),
                  WHERE ", segment %zu byte %zu", VALUES, i, j);
    CHECK(!vg_aes_gcm_open_chain(&gcm, m.nonce, m.nonce_len, m.aad, m.aad_len, segments, pieces, m.tag, 16), WHERE,
          VALUES);
    CHECK(!memcmp(dst, m.text, m.len), WHERE, VALUES);
}

Test(pieces, chain_opens, .init = begin)
{
    each_turn(38, chain_opens);
}
#endif
#endif

#if VG_BURST
enum { PACKETS = 37 };

static struct message burst_message[PACKETS];
static struct vg_aes_gcm burst_key[PACKETS];
static uint8_t burst_dst[PACKETS][MESSAGE_TEXT_MAX], burst_tag[PACKETS][16];

/* Packets of many lengths under many keys, of all setups at once; one of them is forged. */
Test(pieces, burst_seals_and_opens, .init = begin)
{
    struct random r = random_new(39);
    for (size_t turn = 0; turn < 60; turn++) {
        struct vg_packet packet[PACKETS];
        size_t n = turn < 20 ? turn : PACKETS;
        for (size_t i = 0; i < n; i++) {
            struct message *b = &burst_message[i];
            message_random(b, &r, key_sizes[(turn + i) % key_sizes_count], 12, random_below(&r, 30),
                           random_below(&r, turn % 2 ? 1600 : 80));
            setup_key(&setups[(turn + i) % setups_count], &burst_key[i], b->key, b->key_len);
            packet[i] = (struct vg_packet){&burst_key[i], b->nonce, b->aad,       b->aad_len,  b->text,
                                           burst_dst[i],  b->len,   burst_tag[i], VG_ERR_ORDER};
        }
        CHECK(vg_aes_gcm_seal_burst(packet, n) == n, "turn %zu", turn);
        for (size_t i = 0; i < n; i++) {
            const struct message *b = &burst_message[i];
            CHECK(packet[i].status == VG_OK && !memcmp(burst_dst[i], b->cipher, b->len) &&
                      !memcmp(burst_tag[i], b->tag, 16),
                  "turn %zu, packet %zu of %zu", turn, i, n);
            packet[i].src = burst_dst[i]; /* in place from here on */
        }
        if (n)
            packet[turn % n].nonce = NULL;
        CHECK(vg_aes_gcm_seal_burst(packet, 0) == 0 && vg_aes_gcm_seal_burst(NULL, 0) == 0, "turn %zu", turn);
#if VG_OPEN
        size_t forged = n ? (turn + 1) % n : 0;
        if (n)
            burst_tag[forged][turn % 16] ^= 1;
        CHECK(vg_aes_gcm_open_burst(packet, n) == n - (n > 0) - (n > 1), "turn %zu", turn);
        for (size_t i = 0; i < n; i++) {
            const struct message *b = &burst_message[i];
            enum vg_status want = i == turn % n ? VG_ERR_NULL : i == forged ? VG_ERR_AUTH : VG_OK;
            CHECK(packet[i].status == want && !memcmp(burst_dst[i], want ? b->cipher : b->text, b->len),
                  "turn %zu, packet %zu of %zu", turn, i, n);
        }
#endif
    }
}
#endif

#if VG_BLOCKS
/* The building blocks, cut at blocks: the same ciphertext, and the same GHASH. */
Test(pieces, blocks_in_any_number_of_calls, .init = begin)
{
    struct random r = random_new(40);
    for (size_t turn = 0; turn < TURNS; turn++) {
        size_t n = 1 + random_below(&r, turn % 2 ? 100 : 20), blocks[CUTS_MAX];
        message_random(&m, &r, key_sizes[turn % key_sizes_count], 12, 0, 16 * n);
        pieces = cuts_make(blocks, &r, (enum cuts_style)(turn % 2 ? CUTS_FEW : CUTS_BYTES), n);
        for (size_t s = 0; s < setups_count; s++) {
            const struct setup *setup = &setups[s];
            uint8_t *dst = guard_high(&dst_room, m.len), *ctr = guard_high(&src_room, m.len);
            uint8_t counter[4][16], y[3][16] = {{0}};
            setup_key(setup, &gcm, m.key, m.key_len);
            for (size_t i = 0; i < 4; i++) {
                memcpy(counter[i], m.nonce, 12);
                memcpy(counter[i] + 12, (uint8_t[]){0, 0, 0, 2}, 4);
            }
            memcpy(ctr, m.text, m.len);
            for (size_t i = 0, at = 0; i < pieces; at += 16 * blocks[i++]) {
                if (i % 2)
                    CHECK(!vg_aes_gcm_encrypt_blocks_to(&gcm, counter[0], y[0], m.text + at, dst + at, blocks[i]),
                          WHERE, VALUES);
                else {
                    memcpy(dst + at, m.text + at, 16 * blocks[i]);
                    CHECK(!vg_aes_gcm_encrypt_blocks(&gcm, counter[0], y[0], dst + at, blocks[i]), WHERE, VALUES);
                }
                CHECK(!vg_ghash(&gcm, y[1], m.cipher + at, blocks[i]), WHERE, VALUES);
                CHECK(!vg_aes_ctr32(&gcm, counter[1], ctr + at, blocks[i]), WHERE, VALUES);
            }
            CHECK(!memcmp(dst, m.cipher, m.len) && !memcmp(ctr, m.cipher, m.len), WHERE, VALUES);
            CHECK(!memcmp(y[0], y[1], 16) && !memcmp(counter[0], counter[1], 16), WHERE, VALUES);
#if VG_OPEN
            for (size_t i = 0, at = 0; i < pieces; at += 16 * blocks[i++]) {
                CHECK(!vg_aes_gcm_decrypt_blocks(&gcm, counter[2], y[2], dst + at, blocks[i]), WHERE, VALUES);
                CHECK(!vg_aes_ctr32_to(&gcm, counter[3], m.cipher + at, ctr + at, blocks[i]), WHERE, VALUES);
            }
            CHECK(!memcmp(dst, m.text, m.len) && !memcmp(ctr, m.text, m.len), WHERE, VALUES);
            CHECK(!memcmp(y[0], y[2], 16) && !memcmp(counter[0], counter[2], 16), WHERE, VALUES);
#endif
        }
    }
}
#endif
