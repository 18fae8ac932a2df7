/* Does one text come out the same wherever it is cut: every cut of short texts, the lengths around every threshold, and
 * long texts with a suffix? Each cut is tried with every call that takes pieces. */
#include "harness/check.h"
#include "harness/cuts.h"
#include "harness/guard.h"
#include "harness/message.h"
#include "harness/setups.h"
#include <string.h>
#include <vg/vg.h>

enum { SHORT = 130 };

static struct guard src_room, dst_room;
static struct setup setups[SETUPS_MAX];
static struct vg_aes_gcm keys[SETUPS_MAX];
static size_t setups_count;
static struct message m;

static void begin(void)
{
    src_room = guard_new(MESSAGE_TEXT_MAX);
    dst_room = guard_new(MESSAGE_TEXT_MAX);
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

/* A message, one key for each setup, and the portable variant, where there is one, in agreement with libcrypto. */
static void new_message(struct random *r, size_t key_len, size_t len)
{
    uint8_t tag[16];
    message_random(&m, r, key_len, 12, random_below(r, 40), len);
    for (size_t s = 0; s < setups_count; s++) {
        setup_key(&setups[s], &keys[s], m.key, m.key_len);
        if (strcmp(setups[s].name, "portable") != 0)
            continue;
        uint8_t *dst = guard_high(&dst_room, len);
        CHECK(!vg_aes_gcm_seal_to(&keys[s], m.nonce, 12, m.aad, m.aad_len, m.text, dst, len, tag), "text %zu", len);
        CHECK(!memcmp(dst, m.cipher, len) && !memcmp(tag, m.tag, 16), "text %zu", len);
    }
}

#define WHERE                "%s, key %zu, aad %zu, text %zu in %zu pieces, the first of %zu and %zu"
#define VALUES               setups[s].label, m.key_len, m.aad_len, m.len, n, lens[0], n > 1 ? lens[1] : 0
#define CHECK_SEALED(status) CHECK(!(status) && !memcmp(dst, m.cipher, m.len) && !memcmp(tag, m.tag, 16), WHERE, VALUES)

static __attribute__((unused)) void chain_of(struct vg_segment *segments, const size_t *lens, size_t n,
                                             const uint8_t *text, uint8_t *src, uint8_t *dst)
{
    memcpy(src, text, m.len);
    memcpy(dst, text, m.len);
    for (size_t i = 0, at = 0; i < n; at += lens[i++])
        segments[i] = (struct vg_segment){i % 2 ? dst + at : src + at, dst + at, lens[i]};
}

static void try_cut(size_t s, const size_t *lens, size_t n)
{
    uint8_t *src = guard_high(&src_room, m.len), *dst = guard_high(&dst_room, m.len), tag[16];
    const struct vg_aes_gcm *gcm = &keys[s];
#if VG_GATHER
    struct vg_slice slices[CUTS_MAX];
    memcpy(src, m.text, m.len);
    memset(dst, 0x5a, m.len);
    for (size_t i = 0, at = 0; i < n; at += lens[i++])
        slices[i] = (struct vg_slice){src + at, lens[i]};
    CHECK_SEALED(vg_aes_gcm_seal_gather(gcm, m.nonce, 12, m.aad, m.aad_len, slices, n, dst, m.len, tag));
#endif
#if VG_SPLIT
    memcpy(src, m.text, m.len);
    memcpy(dst, m.text, m.len);
    memset(dst, 0x5a, lens[0]);
    CHECK_SEALED(vg_aes_gcm_seal_split(gcm, m.nonce, 12, m.aad, m.aad_len, src, lens[0], dst, m.len, tag));
#endif
#if VG_CHAIN
    struct vg_segment segments[CUTS_MAX];
    chain_of(segments, lens, n, m.text, src, dst);
    CHECK_SEALED(vg_aes_gcm_seal_chain(gcm, m.nonce, 12, m.aad, m.aad_len, segments, n, tag));
#if VG_OPEN
    chain_of(segments, lens, n, m.cipher, src, dst);
    tag[m.len % 16] ^= 4;
    CHECK(vg_aes_gcm_open_chain(gcm, m.nonce, 12, m.aad, m.aad_len, segments, n, tag, 16) == VG_ERR_AUTH, WHERE,
          VALUES);
    for (size_t i = 0, at = 0; i < n; at += lens[i++])
        for (size_t j = at; j < at + lens[i]; j++)
            CHECK(dst[j] == (i % 2 ? m.cipher[j] : 0), WHERE ", byte %zu", VALUES, j);
    chain_of(segments, lens, n, m.cipher, src, dst);
    CHECK(!vg_aes_gcm_open_chain(gcm, m.nonce, 12, m.aad, m.aad_len, segments, n, m.tag, 16) &&
              !memcmp(dst, m.text, m.len),
          WHERE, VALUES);
#endif
#endif
#if VG_STREAM
    struct vg_aes_gcm_stream stream;
    size_t some = m.aad_len / 3, bad = vg_aes_gcm_stream_init(&stream, gcm, m.nonce, 12);
    bad += vg_aes_gcm_stream_aad(&stream, m.aad, some) + vg_aes_gcm_stream_aad(&stream, m.aad + some, m.aad_len - some);
    memcpy(src, m.text, m.len);
    for (size_t i = 0, at = 0; i < n; at += lens[i++])
        bad += vg_aes_gcm_stream_encrypt_to(&stream, src + at, dst + at, lens[i]);
    CHECK_SEALED(bad + vg_aes_gcm_stream_finish(&stream, tag));
#if VG_OPEN
    bad = vg_aes_gcm_stream_init(&stream, gcm, m.nonce, 12) + vg_aes_gcm_stream_aad(&stream, m.aad, m.aad_len);
    for (size_t i = 0, at = 0; i < n; at += lens[i++])
        bad += i % 2 ? vg_aes_gcm_stream_decrypt_to(&stream, m.cipher + at, dst + at, lens[i])
                     : vg_aes_gcm_stream_decrypt(&stream, dst + at, lens[i]);
    bad += vg_aes_gcm_stream_verify(&stream, m.tag, 16);
    CHECK(!bad && !memcmp(dst, m.text, m.len), WHERE, VALUES);
#endif
#endif
    (void)gcm, (void)src, (void)dst, (void)tag, (void)lens, (void)n;
}

/* Two slices in every setup, three in one after the other. */
Test(slices, every_cut_of_short_texts, .init = begin)
{
    struct random r = random_new(240);
    size_t next = 0;
    for (size_t len = 0; len <= SHORT; len++) {
        new_message(&r, key_sizes[len % key_sizes_count], len);
        for (size_t a = 0; a <= len; a++)
            for (size_t s = 0; s < setups_count; s++)
                try_cut(s, (size_t[]){a, len - a}, 2);
        for (size_t a = 0; a <= len; a++)
            for (size_t b = 0; b <= len - a; b++)
                try_cut(next++ % setups_count, (size_t[]){a, b, len - a - b}, 3);
    }
}

/* One byte at a time, with an empty piece before, between and behind. */
Test(slices, bytes_and_empty_pieces, .init = begin)
{
    struct random r = random_new(241);
    for (size_t len = 0; len <= 64; len++) {
        size_t lens[2 * 64 + 1] = {0};
        new_message(&r, key_sizes[len % key_sizes_count], len);
        for (size_t i = 0; i < len; i++)
            lens[2 * i + 1] = 1;
        for (size_t s = 0; s < setups_count; s++) {
            try_cut(s, lens, 2 * len + 1);
            try_cut(s, (size_t[]){0, len, 0}, 3);
        }
    }
}

Test(slices, up_to_64_pieces, .init = begin)
{
    struct random r = random_new(242);
    for (size_t turn = 0; turn < 150; turn++) {
        size_t len = random_below(&r, 5001), n = 1 + random_below(&r, 64), lens[64] = {0};
        new_message(&r, key_sizes[turn % key_sizes_count], len);
        for (size_t i = 0, left = len; i < n; left -= lens[i++])
            lens[i] = i == n - 1 ? left : random_below(&r, 2 * left / (n - i) + 1);
        for (size_t s = 0; s < setups_count; s++)
            try_cut(s, lens, n);
    }
}

/* What is longer than any way of sealing likes to copy, and a few bytes behind it. */
Test(slices, long_text_and_suffix, .init = begin)
{
    static const uint8_t suffixes[] = {1, 5, 16, 17, 33, 64, 65};
    struct random r = random_new(243);
    for (size_t i = 0; i < sizeof suffixes; i++) {
        new_message(&r, key_sizes[i % key_sizes_count], 16384 + suffixes[i]);
        for (size_t s = 0; s < setups_count; s++) {
            try_cut(s, (size_t[]){16384, suffixes[i]}, 2);
            try_cut(s, (size_t[]){1000, 15384, suffixes[i]}, 3);
        }
    }
}

/* Lengths on both sides of a threshold; cuts on both sides of where kernels read on at the other place. */
static void try_around(size_t s, struct random *r, size_t threshold)
{
    static const int8_t steps[] = {-17, -16, -1, 0, 1, 15, 16, 17, 64};
    for (size_t i = 0; i < sizeof steps; i++) {
        size_t len = threshold + (size_t)(ptrdiff_t)steps[i];
        if (len < 65 || len > MESSAGE_TEXT_MAX)
            continue;
        new_message(r, key_sizes[i % key_sizes_count], len);
        for (size_t unit = 16; unit <= 64; unit *= 2) {
            size_t last = (len - 1) / unit * unit;
            try_cut(s, (size_t[]){last, len - last}, 2);
            try_cut(s, (size_t[]){last - 1, len - last + 1}, 2);
            try_cut(s, (size_t[]){0, last + 1, len - last - 1}, 3);
        }
        try_cut(s, (size_t[]){len / 2, len - len / 2}, 2);
    }
}

Test(slices, around_thresholds, .init = begin)
{
    struct random r = random_new(244);
    for (size_t s = 0; s < setups_count; s++) {
        try_around(s, &r, vg_threshold(setups[s].variant, VG_THRESHOLD_SPLIT_FROM));
        try_around(s, &r, vg_threshold(setups[s].variant, VG_THRESHOLD_COPY_BELOW));
        try_around(s, &r, vg_threshold(setups[s].variant, VG_THRESHOLD_STITCHED_FROM));
        try_around(s, &r, VG_CHAIN_BUFFER);
    }
}
