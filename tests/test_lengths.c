/* Is every length of text and AAD right, at every alignment, up against pages that may not be touched? */
#include "harness/check.h"
#include "harness/guard.h"
#include "harness/message.h"
#include "harness/setups.h"
#include <string.h>
#include <vg/vg.h>

static struct guard nonce_room, aad_room, src_room, dst_room, tag_room;
static struct setup setups[SETUPS_MAX];
static size_t setups_count;
static struct message m;

static void begin(void)
{
    nonce_room = guard_new(64 + 16);
    aad_room = guard_new(MESSAGE_AAD_MAX + 64);
    src_room = guard_new(MESSAGE_TEXT_MAX + 64);
    dst_room = guard_new(MESSAGE_TEXT_MAX + 64);
    tag_room = guard_new(64 + 16);
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

/* Everything about where the buffers of one call lie. */
struct places {
    uint8_t *nonce, *aad, *src, *dst, *tag;
};

static struct places lay_out(size_t turn)
{
    struct places p = {
        .nonce = guard_place(&nonce_room, 12, turn * 5 % 128),
        .aad = guard_place(&aad_room, m.aad_len, turn * 3 % 128),
        .src = guard_place(&src_room, m.len, turn % 128),
        .dst = guard_place(&dst_room, m.len, turn * 7 % 128),
        .tag = guard_place(&tag_room, 16, turn * 11 % 128),
    };
    memcpy(p.nonce, m.nonce, 12);
    memcpy(p.aad, m.aad, m.aad_len);
    return p;
}

static void take_away(const struct places *p)
{
    memset(p->nonce, GUARD_FILL, 12);
    memset(p->aad, GUARD_FILL, m.aad_len);
    memset(p->src, GUARD_FILL, m.len);
    memset(p->dst, GUARD_FILL, m.len);
    memset(p->tag, GUARD_FILL, 16);
}

static int around_is_intact(const struct places *p)
{
    return guard_intact(&nonce_room, p->nonce, 12) && guard_intact(&aad_room, p->aad, m.aad_len) &&
           guard_intact(&src_room, p->src, m.len) && guard_intact(&dst_room, p->dst, m.len) &&
           guard_intact(&tag_room, p->tag, 16) && !memcmp(p->nonce, m.nonce, 12) && !memcmp(p->aad, m.aad, m.aad_len);
}

#define WHERE  "%s, key %zu, aad %zu, text %zu, turn %zu"
#define VALUES setup->label, m.key_len, m.aad_len, m.len, turn

static void try_one(const struct setup *setup, size_t turn)
{
    struct vg_aes_gcm gcm;
    setup_key(setup, &gcm, m.key, m.key_len);
    struct places p = lay_out(turn);

    memcpy(p.src, m.text, m.len);
    CHECK(!vg_aes_gcm_seal_to(&gcm, p.nonce, 12, p.aad, m.aad_len, p.src, p.dst, m.len, p.tag), WHERE, VALUES);
    CHECK(!memcmp(p.dst, m.cipher, m.len), WHERE, VALUES);
    CHECK(!memcmp(p.tag, m.tag, 16), WHERE, VALUES);
    CHECK(!memcmp(p.src, m.text, m.len), WHERE, VALUES);
    CHECK(around_is_intact(&p), WHERE, VALUES);

    memset(p.tag, 0, 16);
    CHECK(!vg_aes_gcm_seal(&gcm, p.nonce, 12, p.aad, m.aad_len, p.src, m.len, p.tag), WHERE, VALUES);
    CHECK(!memcmp(p.src, m.cipher, m.len), WHERE, VALUES);
    CHECK(!memcmp(p.tag, m.tag, 16), WHERE, VALUES);
    CHECK(around_is_intact(&p), WHERE, VALUES);
#if VG_OPEN
    memset(p.dst, 0, m.len);
    CHECK(!vg_aes_gcm_open_to(&gcm, p.nonce, 12, p.aad, m.aad_len, p.src, p.dst, m.len, p.tag, 16), WHERE, VALUES);
    CHECK(!memcmp(p.dst, m.text, m.len), WHERE, VALUES);
    CHECK(!memcmp(p.src, m.cipher, m.len), WHERE, VALUES);
    CHECK(around_is_intact(&p), WHERE, VALUES);

    CHECK(!vg_aes_gcm_open(&gcm, p.nonce, 12, p.aad, m.aad_len, p.src, m.len, p.tag, 16), WHERE, VALUES);
    CHECK(!memcmp(p.src, m.text, m.len), WHERE, VALUES);
    CHECK(!memcmp(p.tag, m.tag, 16), WHERE, VALUES);
    CHECK(around_is_intact(&p), WHERE, VALUES);
#endif
    take_away(&p);
}

static void try_all(struct random *r, size_t key_len, size_t aad_len, size_t len)
{
    static size_t turn;
    message_random(&m, r, key_len, 12, aad_len, len);
    for (size_t s = 0; s < setups_count; s++)
        try_one(&setups[s], turn);
    turn++;
}

Test(lengths, every_text_length, .init = begin)
{
    struct random r = random_new(1);
    for (size_t len = 0; len <= 1100; len++)
        for (size_t k = 0; k < key_sizes_count; k++)
            for (size_t i = 0; i < 3; i++)
                try_all(&r, key_sizes[k], (len + 23 * i + 11 * k) % 71, len);
}

Test(lengths, every_aad_length, .init = begin)
{
    static const uint16_t lens[] = {0, 1, 15, 16, 17, 33, 64, 100, 129, 255, 256, 300, 511, 768, 1023};
    struct random r = random_new(2);
    for (size_t aad_len = 0; aad_len <= 70; aad_len++)
        for (size_t k = 0; k < key_sizes_count; k++)
            for (size_t i = 0; i < sizeof lens / sizeof *lens; i++)
                try_all(&r, key_sizes[k], aad_len, lens[i]);
}

/* Lengths about which other implementations were wrong, and AAD beyond what kernels unroll for. */
Test(lengths, long_texts_and_aad, .init = begin)
{
    static const uint16_t lens[] = {1152, 1279, 1280, 1281, 1440, 1446, 1535, 1536, 1537,  1791,  1792,  1793,
                                    1800, 1808, 2047, 2048, 2064, 2288, 2304, 2400, 2560,  2576,  3000,  3584,
                                    4096, 4111, 7679, 7680, 8191, 8192, 8193, 9000, 16383, 16384, 16400, 20479};
    static const uint16_t aads[] = {0, 13, 127, 128, 255, 256, 257, 512, 767, 768, 1000, 2049, 4095};
    struct random r = random_new(3);
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++)
        for (size_t k = 0; k < key_sizes_count; k++)
            try_all(&r, key_sizes[k], aads[(i + k) % (sizeof aads / sizeof *aads)], lens[i]);
    for (size_t i = 0; i < sizeof aads / sizeof *aads; i++)
        for (size_t k = 0; k < key_sizes_count; k++)
            try_all(&r, key_sizes[k], aads[i], 40 * i);
}
