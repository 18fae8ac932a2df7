/* Is every nonce length right in every call that takes one, and refused where the build knows 12 bytes only? */
#include "harness/check.h"
#include "harness/guard.h"
#include "harness/message.h"
#include "harness/setups.h"
#include <string.h>
#include <vg/vg.h>

static struct guard nonce_room;
static struct setup setups[SETUPS_MAX];
static size_t setups_count;
static struct message m;
static uint8_t out[MESSAGE_TEXT_MAX];

static void begin(void)
{
    nonce_room = guard_new(MESSAGE_NONCE_MAX);
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

#define WHERE  "%s, key %zu, nonce %zu, aad %zu, text %zu"
#define VALUES setup->label, m.key_len, m.nonce_len, m.aad_len, m.len

/* Every call gets the nonce up against a guard page; each answer is that of libcrypto. */
static void try_all_calls(const struct setup *setup)
{
    struct vg_aes_gcm gcm;
    uint8_t *nonce = guard_high(&nonce_room, m.nonce_len), tag[16];
    memcpy(nonce, m.nonce, m.nonce_len);
    setup_key(setup, &gcm, m.key, m.key_len);
    CHECK(!vg_aes_gcm_seal_to(&gcm, nonce, m.nonce_len, m.aad, m.aad_len, m.text, out, m.len, tag), WHERE, VALUES);
    CHECK(!memcmp(out, m.cipher, m.len) && !memcmp(tag, m.tag, 16), WHERE, VALUES);
#if VG_OPEN
    CHECK(!vg_aes_gcm_open(&gcm, nonce, m.nonce_len, m.aad, m.aad_len, out, m.len, tag, 16), WHERE, VALUES);
    CHECK(!memcmp(out, m.text, m.len), WHERE, VALUES);
#endif
#if VG_GATHER
    struct vg_slice slices[2] = {{m.text, m.len / 3}, {m.text + m.len / 3, m.len - m.len / 3}};
    memset(out, 0, m.len);
    CHECK(!vg_aes_gcm_seal_gather(&gcm, nonce, m.nonce_len, m.aad, m.aad_len, slices, 2, out, m.len, tag), WHERE,
          VALUES);
    CHECK(!memcmp(out, m.cipher, m.len) && !memcmp(tag, m.tag, 16), WHERE, VALUES);
#endif
#if VG_SPLIT
    memcpy(out, m.text, m.len);
    memset(out, 0, m.len / 3);
    CHECK(!vg_aes_gcm_seal_split(&gcm, nonce, m.nonce_len, m.aad, m.aad_len, m.text, m.len / 3, out, m.len, tag), WHERE,
          VALUES);
    CHECK(!memcmp(out, m.cipher, m.len) && !memcmp(tag, m.tag, 16), WHERE, VALUES);
#endif
#if VG_CHAIN
    struct vg_segment segments[2] = {{m.text, out, m.len / 3},
                                     {m.text + m.len / 3, out + m.len / 3, m.len - m.len / 3}};
    memset(out, 0, m.len);
    CHECK(!vg_aes_gcm_seal_chain(&gcm, nonce, m.nonce_len, m.aad, m.aad_len, segments, 2, tag), WHERE, VALUES);
    CHECK(!memcmp(out, m.cipher, m.len) && !memcmp(tag, m.tag, 16), WHERE, VALUES);
#endif
#if VG_STREAM
    struct vg_aes_gcm_stream stream;
    memcpy(out, m.text, m.len);
    CHECK(!vg_aes_gcm_stream_init(&stream, &gcm, nonce, m.nonce_len), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_aad(&stream, m.aad, m.aad_len), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_encrypt(&stream, out, m.len), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_finish(&stream, tag), WHERE, VALUES);
    CHECK(!memcmp(out, m.cipher, m.len) && !memcmp(tag, m.tag, 16), WHERE, VALUES);
#endif
}

static void try_len(struct random *r, size_t nonce_len)
{
    static const uint16_t lens[] = {0, 1, 16, 47, 300, 1000};
    for (size_t k = 0; k < key_sizes_count; k++)
        for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
            message_random(&m, r, key_sizes[k], nonce_len, random_below(r, 40), lens[i]);
            for (size_t s = 0; s < setups_count; s++)
                try_all_calls(&setups[s]);
        }
}

#if VG_ANY_NONCE
Test(nonces, every_length_is_right, .init = begin)
{
    static const uint16_t long_ones[] = {127, 128, 129, 255, 256, 257, 1024, 2055, 2056};
    struct random r = random_new(60);
    for (size_t nonce_len = 1; nonce_len <= 64; nonce_len++)
        try_len(&r, nonce_len);
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
        try_len(&r, long_ones[i]);
}

#if VG_STREAM
/* One stream begun again and again with nonces of other lengths. */
Test(nonces, nothing_of_an_older_nonce_stays, .init = begin)
{
    static const uint8_t lens[] = {12, 128, 12, 1, 12, 16, 13, 12};
    struct random r = random_new(61);
    struct vg_aes_gcm gcm;
    for (size_t s = 0; s < setups_count; s++) {
        struct vg_aes_gcm_stream stream, copy;
        uint8_t key[32], tag[16];
        random_fill(&r, key, sizeof key);
        setup_key(&setups[s], &gcm, key, key_sizes[0]);
        for (size_t i = 0; i < sizeof lens; i++) {
            message_random(&m, &r, key_sizes[0], lens[i], 20, 100);
            memcpy(m.key, key, key_sizes[0]);
            message_update(&m);
            memcpy(out, m.text, m.len);
            CHECK(!vg_aes_gcm_stream_init(&stream, &gcm, m.nonce, m.nonce_len), "%s, nonce %u", setups[s].label,
                  lens[i]);
            CHECK(!vg_aes_gcm_stream_aad(&stream, m.aad, 20), "%s, nonce %u", setups[s].label, lens[i]);
            CHECK(!vg_aes_gcm_stream_encrypt(&stream, out, 50), "%s, nonce %u", setups[s].label, lens[i]);
            copy = stream;
            CHECK(!vg_aes_gcm_stream_encrypt(&copy, out + 50, 50), "%s, nonce %u", setups[s].label, lens[i]);
            CHECK(!vg_aes_gcm_stream_finish(&copy, tag), "%s, nonce %u", setups[s].label, lens[i]);
            CHECK(!memcmp(out, m.cipher, 100) && !memcmp(tag, m.tag, 16), "%s, nonce %u", setups[s].label, lens[i]);
        }
    }
}
#endif
#else
Test(nonces, twelve_bytes_are_right, .init = begin)
{
    struct random r = random_new(60);
    try_len(&r, 12);
}

Test(nonces, other_lengths_are_refused, .init = begin)
{
    struct vg_aes_gcm gcm;
    uint8_t tag[16];
    setup_key(&setups[0], &gcm, m.key, key_sizes[0]);
    for (size_t nonce_len = 0; nonce_len <= 300; nonce_len++)
        if (nonce_len != 12)
            CHECK(vg_aes_gcm_seal(&gcm, m.nonce, nonce_len, NULL, 0, NULL, 0, tag) == VG_ERR_NONCE_LEN, "nonce %zu",
                  nonce_len);
}
#endif
