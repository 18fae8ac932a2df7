/* Does the counter block step as inc32 of SP 800-38D says, through every edge of its low 32 bits, and never beyond
 * them? */
#include "harness/check.h"
#include "harness/field.h"
#include "harness/message.h"
#include "harness/reference.h"
#include "harness/setups.h"
#include <internal.h>
#include <string.h>
#include <vg/vg.h>

#if VG_ANY_NONCE || VG_BLOCKS
static struct setup setups[SETUPS_MAX];
static size_t setups_count;
static void begin(void)
{
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

/* 2^32 is 0. */
static const uint32_t edges[] = {0, 0x80000000, 0x01000000, 0x00010000, 0xffff8000, 0x00000100, 0x00000080};
enum { EDGES = sizeof edges / sizeof *edges, AROUND = 20 };

/* Counter mode, block by block: the model. */
static void model_ctr(const uint8_t *key, size_t key_len, const uint8_t first[16], const uint8_t *src, uint8_t *dst,
                      size_t len)
{
    uint8_t counter[16], keystream[16];
    uint32_t low = vg_load_be32(first + 12);
    memcpy(counter, first, 16);
    for (size_t i = 0; i < len; i++) {
        if (i % 16 == 0) {
            vg_store_be32(counter + 12, low++);
            reference_block(key, key_len, counter, keystream);
        }
        dst[i] = src[i] ^ keystream[i % 16];
    }
}

#if VG_ANY_NONCE
static struct message m;

#define WHERE  "%s, key %zu, low word of J0 %08x, text %zu"
#define VALUES setup->label, m.key_len, (unsigned)low, m.len

static void try_message(const struct setup *setup, uint32_t low)
{
    struct vg_aes_gcm gcm;
    static uint8_t text[MESSAGE_TEXT_MAX];
    uint8_t tag[16];
    setup_key(setup, &gcm, m.key, m.key_len);
    memset(text, 0, m.len);
    CHECK(!vg_aes_gcm_seal_to(&gcm, m.nonce, 16, m.aad, m.aad_len, m.text, text, m.len, tag), WHERE, VALUES);
    CHECK(!memcmp(text, m.cipher, m.len) && !memcmp(tag, m.tag, 16), WHERE, VALUES);
#if VG_OPEN
    CHECK(!vg_aes_gcm_open(&gcm, m.nonce, 16, m.aad, m.aad_len, text, m.len, tag, 16), WHERE, VALUES);
    CHECK(!memcmp(text, m.text, m.len), WHERE, VALUES);
#endif
#if VG_STREAM
    struct vg_aes_gcm_stream stream;
    size_t first = low % 71 < m.len ? low % 71 : m.len;
    CHECK(!vg_aes_gcm_stream_init(&stream, &gcm, m.nonce, 16), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_aad(&stream, m.aad, m.aad_len), WHERE, VALUES);
    memcpy(text, m.text, m.len);
    CHECK(!vg_aes_gcm_stream_encrypt(&stream, text, first), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_encrypt(&stream, text + first, m.len - first), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_finish(&stream, tag), WHERE, VALUES);
    CHECK(!memcmp(text, m.cipher, m.len) && !memcmp(tag, m.tag, 16), WHERE, VALUES);
#endif
}

/* A nonce with the wanted J0, a ciphertext by the model and one by libcrypto, and every setup. */
static void try_j0(const uint8_t j0[16], const uint8_t h[16])
{
    static uint8_t model[MESSAGE_TEXT_MAX];
    uint32_t low = vg_load_be32(j0 + 12);
    uint8_t first[16];
    memcpy(first, j0, 16);
    vg_store_be32(first + 12, low + 1);
    field_nonce_for(m.nonce, h, j0);
    message_update(&m);
    model_ctr(m.key, m.key_len, first, m.text, model, m.len);
    CHECK(!memcmp(m.cipher, model, m.len), "libcrypto against the model, J0 low word %08x", (unsigned)low);
    for (size_t s = 0; s < setups_count; s++)
        try_message(&setups[s], low);
}

Test(counters, messages_wrap_at_32_bits, .init = begin)
{
    static const uint16_t lens[] = {40, 640, 64, 300, 1030, 129, 512, 257, 96, 2048};
    struct random r = random_new(50);
    size_t turn = 0;
    for (size_t k = 0; k < key_sizes_count; k++)
        for (size_t e = 0; e < EDGES; e++)
            for (int d = -AROUND; d <= AROUND; d++, turn++) {
                uint8_t h[16], j0[16];
                message_random(&m, &r, key_sizes[k], 16, turn % 40, lens[turn % 10] + turn / 10 % 3);
                reference_block(m.key, m.key_len, (uint8_t[16]){0}, h);
                random_fill(&r, j0, 12);
                if (turn % 2) /* a carry out of the low word would show far up */
                    memset(j0, 0xff, 12);
                vg_store_be32(j0 + 12, edges[e] + (uint32_t)d);
                try_j0(j0, h);
            }
}

#if VG_AES128
/* J0 is all ones; the answer is known. */
Test(counters, all_ones_known_answer, .init = begin)
{
    static const uint8_t nonce[16] = {0x1a, 0x55, 0x2e, 0x67, 0xcd, 0xc4, 0xdc, 0x1a,
                                      0x33, 0xb8, 0x24, 0x87, 0x4e, 0xbf, 0x0b, 0xed};
    static const uint8_t want[8] = {0x94, 0x8c, 0xa3, 0x7a, 0x8e, 0x66, 0x49, 0xe8};
    uint8_t key[16], h[16], j0[16], ones[16], tag[16];
    for (unsigned i = 0; i < 16; i++)
        key[i] = (uint8_t)(0x11 * i);
    memset(ones, 0xff, 16);
    reference_block(key, 16, (uint8_t[16]){0}, h);
    field_nonce_for(j0, h, ones);
    CHECK(!memcmp(j0, nonce, 16), "the model inverts GHASH");
    for (size_t s = 0; s < setups_count; s++) {
        struct vg_aes_gcm gcm;
        uint8_t text[40] = {0};
        setup_key(&setups[s], &gcm, key, 16);
        CHECK(!vg_aes_gcm_seal(&gcm, nonce, 16, NULL, 0, text, 40, tag), "%s", setups[s].label);
        CHECK(!memcmp(text, want, 8), "%s", setups[s].label);
    }
}
#endif
#endif

#if VG_BLOCKS
Test(counters, blocks_wrap_at_32_bits, .init = begin)
{
    static uint8_t src[16 * 64], want[16 * 64], dst[16 * 64];
    struct random r = random_new(51);
    size_t turn = 0;
    for (size_t k = 0; k < key_sizes_count; k++)
        for (size_t e = 0; e < EDGES; e++)
            for (int d = -AROUND; d <= AROUND; d++, turn++) {
                uint8_t key[32], h[16], first[16], counter[16], y[16], want_y[16] = {0};
                size_t n = turn % 64 + 1;
                uint32_t low = edges[e] + (uint32_t)d;
                random_fill(&r, key, sizeof key);
                random_fill(&r, src, 16 * n);
                memset(first, turn % 2 ? 0xff : 0x3c, 12);
                vg_store_be32(first + 12, low);
                reference_block(key, key_sizes[k], (uint8_t[16]){0}, h);
                model_ctr(key, key_sizes[k], first, src, want, 16 * n);
                field_ghash(want_y, h, want, n);
                for (size_t s = 0; s < setups_count; s++) {
                    struct vg_aes_gcm gcm;
                    setup_key(&setups[s], &gcm, key, key_sizes[k]);
                    memcpy(counter, first, 16);
                    CHECK(!vg_aes_ctr32_to(&gcm, counter, src, dst, n), "%s", setups[s].label);
                    CHECK(!memcmp(dst, want, 16 * n) && !memcmp(counter, first, 12) &&
                              vg_load_be32(counter + 12) == low + (uint32_t)n,
                          "%s, counter %08x, %zu blocks", setups[s].label, (unsigned)low, n);
                    memcpy(counter, first, 16);
                    memset(y, 0, 16);
                    CHECK(!vg_aes_gcm_encrypt_blocks_to(&gcm, counter, y, src, dst, n), "%s", setups[s].label);
                    CHECK(!memcmp(dst, want, 16 * n) && !memcmp(counter, first, 12) && !memcmp(y, want_y, 16) &&
                              vg_load_be32(counter + 12) == low + (uint32_t)n,
                          "%s, counter %08x, %zu blocks", setups[s].label, (unsigned)low, n);
#if VG_OPEN
                    memcpy(counter, first, 16);
                    memset(y, 0, 16);
                    CHECK(!vg_aes_gcm_decrypt_blocks(&gcm, counter, y, dst, n), "%s", setups[s].label);
                    CHECK(!memcmp(dst, src, 16 * n) && !memcmp(counter, first, 12) && !memcmp(y, want_y, 16) &&
                              vg_load_be32(counter + 12) == low + (uint32_t)n,
                          "%s, counter %08x, %zu blocks", setups[s].label, (unsigned)low, n);
#endif
                }
            }
}
#endif
#endif
