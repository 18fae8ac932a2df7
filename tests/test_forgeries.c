/* Is every forgery refused, by every call that opens, and what is left in the buffers exactly what was promised? */
#include "harness/check.h"
#include "harness/guard.h"
#include "harness/message.h"
#include "harness/setups.h"
#include <string.h>
#include <vg/vg.h>

#if VG_OPEN
static struct guard src_room, dst_room;
static struct setup setups[SETUPS_MAX];
static size_t setups_count;

static void begin(void)
{
    src_room = guard_new(MESSAGE_TEXT_MAX);
    dst_room = guard_new(MESSAGE_TEXT_MAX);
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

static struct message m;

#define WHERE  "%s, key %zu, nonce %zu, aad %zu, text %zu, tag %zu bytes: %s"
#define VALUES setup->label, m.key_len, m.nonce_len, m.aad_len, m.len, tag_len, what

static int is_zero(const uint8_t *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (p[i])
            return 0;
    return 1;
}

/* nonce, aad, ciphertext or tag is not what was sealed: refused by all, and what the contract says is left. */
static void try_forged(const struct setup *setup, const struct vg_aes_gcm *gcm, const uint8_t *nonce,
                       const uint8_t *aad, const uint8_t *cipher, const uint8_t *tag, size_t tag_len, const char *what)
{
    uint8_t *text = guard_high(&src_room, m.len), *dst = guard_high(&dst_room, m.len);
    memcpy(text, cipher, m.len);
    CHECK(vg_aes_gcm_open(gcm, nonce, m.nonce_len, aad, m.aad_len, text, m.len, tag, tag_len) == VG_ERR_AUTH, WHERE,
          VALUES);
    CHECK(!memcmp(text, cipher, m.len), "in place: " WHERE, VALUES);
    memset(dst, 0x33, m.len);
    CHECK(vg_aes_gcm_open_to(gcm, nonce, m.nonce_len, aad, m.aad_len, text, dst, m.len, tag, tag_len) == VG_ERR_AUTH,
          WHERE, VALUES);
    CHECK(is_zero(dst, m.len) && !memcmp(text, cipher, m.len), "out of place: " WHERE, VALUES);
#if VG_CHAIN
    size_t a = m.len / 3, b = m.len - a;
    struct vg_segment segments[3] = {{text, dst, a}, {NULL, NULL, 0}, {text + a, text + a, b}};
    memset(dst, 0x33, m.len);
    CHECK(vg_aes_gcm_open_chain(gcm, nonce, m.nonce_len, aad, m.aad_len, segments, 3, tag, tag_len) == VG_ERR_AUTH,
          WHERE, VALUES);
    CHECK(is_zero(dst, a) && !memcmp(text, cipher, m.len), "chain: " WHERE, VALUES);
#endif
#if VG_STREAM
    struct vg_aes_gcm_stream stream;
    CHECK(!vg_aes_gcm_stream_init(&stream, gcm, nonce, m.nonce_len), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_aad(&stream, aad, m.aad_len), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_decrypt_to(&stream, text, dst, m.len), WHERE, VALUES);
    CHECK(vg_aes_gcm_stream_verify(&stream, tag, tag_len) == VG_ERR_AUTH, WHERE, VALUES);
#endif
#if VG_BURST
    if (m.nonce_len == 12 && tag_len == 16) {
        uint8_t copy[16];
        memcpy(copy, tag, 16);
        struct vg_packet packet = {gcm, nonce, aad, m.aad_len, text, text, m.len, copy, VG_OK};
        CHECK(vg_aes_gcm_open_burst(&packet, 1) == 0 && packet.status == VG_ERR_AUTH, WHERE, VALUES);
        CHECK(!memcmp(text, cipher, m.len), "burst: " WHERE, VALUES);
    }
#endif
}

static const uint16_t lens[] = {0, 1, 15, 16, 17, 63, 64, 100, 256, 300, 700, 1000, 1500, 4100};

Test(forgeries, every_bit_of_the_tag_counts, .init = begin)
{
    struct random r = random_new(70);
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++)
        for (size_t k = 0; k < key_sizes_count; k++) {
            size_t nonce_len = VG_ANY_NONCE && i % 4 == 3 ? 13 : 12;
            message_random(&m, &r, key_sizes[k], nonce_len, random_below(&r, 40), lens[i]);
            for (size_t s = 0; s < setups_count; s++) {
                struct vg_aes_gcm gcm;
                uint8_t tag[16];
                setup_key(&setups[s], &gcm, m.key, m.key_len);
                for (size_t bit = k; bit<128; bit += lens[i]> 64 ? 7 : 1) {
                    memcpy(tag, m.tag, 16);
                    tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
                    try_forged(&setups[s], &gcm, m.nonce, m.aad, m.cipher, tag, 16, "a bit of the tag");
                }
                memset(tag, 0, 16);
                try_forged(&setups[s], &gcm, m.nonce, m.aad, m.cipher, tag, 16, "a tag of zeros");
                memset(tag, 0xff, 16);
                try_forged(&setups[s], &gcm, m.nonce, m.aad, m.cipher, tag, 16, "a tag of ones");
                for (size_t j = 0; j < 16; j++)
                    tag[j] = (uint8_t)~m.tag[j];
                try_forged(&setups[s], &gcm, m.nonce, m.aad, m.cipher, tag, 16, "the tag's complement");
                for (size_t j = 0; j < 16; j++)
                    tag[j] = m.tag[(j + 8) % 16];
                try_forged(&setups[s], &gcm, m.nonce, m.aad, m.cipher, tag, 16, "the tag's halves swapped");
            }
        }
}

Test(forgeries, every_input_counts, .init = begin)
{
    static uint8_t cipher[MESSAGE_TEXT_MAX], aad[MESSAGE_AAD_MAX], nonce[MESSAGE_NONCE_MAX];
    struct random r = random_new(71);
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++)
        for (size_t turn = 0; turn < 12; turn++) {
            message_random(&m, &r, key_sizes[turn % key_sizes_count], 12, 1 + random_below(&r, 80), lens[i]);
            for (size_t s = 0; s < setups_count; s++) {
                struct vg_aes_gcm gcm;
                setup_key(&setups[s], &gcm, m.key, m.key_len);
                memcpy(nonce, m.nonce, m.nonce_len);
                memcpy(aad, m.aad, m.aad_len);
                memcpy(cipher, m.cipher, m.len);
                nonce[random_below(&r, 12)] ^= 0x10;
                try_forged(&setups[s], &gcm, nonce, m.aad, m.cipher, m.tag, 16, "the nonce");
                aad[random_below(&r, m.aad_len)] ^= 0x01;
                try_forged(&setups[s], &gcm, m.nonce, aad, m.cipher, m.tag, 16, "the AAD");
                if (m.len) {
                    cipher[random_below(&r, m.len)] ^= 0x80;
                    try_forged(&setups[s], &gcm, m.nonce, m.aad, cipher, m.tag, 16, "the ciphertext");
                }
            }
        }
}

/* The lengths of SP 800-38D: accepted when right, refused when a bit of what is left is wrong, or when shifted. */
Test(forgeries, truncated_tags, .init = begin)
{
    static const uint8_t tag_lens[] = {4, 8, 12, 13, 14, 15};
    struct random r = random_new(72);
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++)
        for (size_t t = 0; t < sizeof tag_lens; t++) {
            size_t tag_len = tag_lens[t];
            message_random(&m, &r, key_sizes[(i + t) % key_sizes_count], 12, random_below(&r, 40), lens[i]);
            for (size_t s = 0; s < setups_count; s++) {
                const struct setup *setup = &setups[s];
                const char *what = "a truncated tag";
                struct vg_aes_gcm gcm;
                uint8_t *text = guard_high(&src_room, m.len), *tag = guard_high(&dst_room, tag_len), wrong[16];
                setup_key(setup, &gcm, m.key, m.key_len);
                memcpy(text, m.cipher, m.len);
                memcpy(tag, m.tag, tag_len);
                enum vg_status status = vg_aes_gcm_open(&gcm, m.nonce, 12, m.aad, m.aad_len, text, m.len, tag, tag_len);
                if (!VG_TRUNCATED_TAGS) {
                    CHECK(status == VG_ERR_TAG_LEN && !memcmp(text, m.cipher, m.len), WHERE, VALUES);
                    continue;
                }
                CHECK(!status && !memcmp(text, m.text, m.len), WHERE, VALUES);
                for (size_t bit = 0; bit < 8 * tag_len; bit += 3) {
                    memcpy(wrong, m.tag, 16);
                    wrong[bit / 8] ^= (uint8_t)(1 << bit % 8);
                    try_forged(setup, &gcm, m.nonce, m.aad, m.cipher, wrong, tag_len, "a bit of a truncated tag");
                }
                try_forged(setup, &gcm, m.nonce, m.aad, m.cipher, m.tag + 16 - tag_len, tag_len, "the tag's end");
            }
        }
}
#endif
