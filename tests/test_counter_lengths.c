/* Do counters wrap rightly at every length? The low word of the counter block is swept over its edges against all
 * lengths to 1,100 bytes: in the building blocks, and in streams, whose counter blocks are set by hand. */
#include "harness/check.h"
#include "harness/reference.h"
#include "harness/setups.h"
#include <internal.h>
#include <string.h>
#include <vg/vg.h>

enum { LONGEST = 1100, BLOCKS = (LONGEST + 15) / 16 };

static struct setup setups[SETUPS_MAX];
static size_t setups_count;

static void begin(void)
{
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

/* 2^32 is 0; the numbers at which a byte or a sign carries. */
static const uint32_t edges[] = {0, 0x100, 0x10000, 0x1000000, 0x80000000, 0xffff0000, 0xffffff00};
enum { EDGES = sizeof edges / sizeof *edges };

static uint8_t text[16 * BLOCKS], want[16 * BLOCKS], got[16 * BLOCKS];

static void model_ctr(const uint8_t *key, size_t key_len, const uint8_t first[16], size_t len)
{
    uint8_t counter[16], keystream[16];
    uint32_t low = vg_load_be32(first + 12);
    memcpy(counter, first, 16);
    for (size_t i = 0; i < len; i++) {
        if (i % 16 == 0) {
            vg_store_be32(counter + 12, low++);
            reference_block(key, key_len, counter, keystream);
        }
        want[i] = text[i] ^ keystream[i % 16];
    }
}

#define WHERE  "%s, key %zu, counter %08x, %zu bytes"
#define VALUES setups[s].label, key_len, (unsigned)low, len

static void try_blocks(size_t s, const uint8_t *key, size_t key_len, const uint8_t first[16], size_t len)
{
    struct vg_aes_gcm gcm;
    uint8_t counter[16], y_hashed[16] = {0};
    struct vg_run run = {0};
    uint32_t low = vg_load_be32(first + 12);
    size_t n = len / 16;
    setup_key(&setups[s], &gcm, key, key_len);
    memcpy(counter, first, 16);
    VG_CALL(&gcm, ctr32_to)(&gcm, counter, text, got, n);
    CHECK(!memcmp(got, want, 16 * n) && !memcmp(counter, first, 12) &&
              vg_load_be32(counter + 12) == (uint32_t)(low + n),
          WHERE, VALUES);
    memcpy(run.counter, first, 16);
    memset(got, 0, sizeof got);
    VG_CALL_FORM(&gcm, crypt_run)(&gcm, &run, text, got, n, 0);
    VG_CALL_FORM(&gcm, ghash)(&gcm, y_hashed, want, n);
    CHECK(!memcmp(got, want, 16 * n) && !memcmp(run.y, y_hashed, 16), WHERE, VALUES);
    CHECK(!memcmp(run.counter, counter, 16), WHERE, VALUES);
#if VG_OPEN
    memcpy(run.counter, first, 16);
    memset(run.y, 0, 16);
    VG_CALL_FORM(&gcm, crypt_run)(&gcm, &run, got, got, n, VG_RUN_DECRYPT);
    CHECK(!memcmp(got, text, 16 * n) && !memcmp(run.y, y_hashed, 16), WHERE, VALUES);
    CHECK(!memcmp(run.counter, counter, 16), WHERE, VALUES);
#endif
}

#if VG_STREAM
static void try_stream(size_t s, const uint8_t *key, size_t key_len, const uint8_t first[16], size_t len)
{
    struct vg_aes_gcm gcm;
    struct vg_aes_gcm_stream stream;
    uint8_t tag[16];
    uint32_t low = vg_load_be32(first + 12);
    size_t cut = len * 5 % 97 % (len + 1);
    setup_key(&setups[s], &gcm, key, key_len);
    CHECK(!vg_aes_gcm_stream_init(&stream, &gcm, first, 12), WHERE, VALUES);
    memcpy(stream.run.counter, first, 16);
    CHECK(!vg_aes_gcm_stream_encrypt_to(&stream, text, got, cut), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_encrypt_to(&stream, text + cut, got + cut, len - cut), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_finish(&stream, tag), WHERE, VALUES);
    CHECK(!memcmp(got, want, len), WHERE, VALUES);
#if VG_OPEN
    CHECK(!vg_aes_gcm_stream_init(&stream, &gcm, first, 12), WHERE, VALUES);
    memcpy(stream.run.counter, first, 16);
    CHECK(!vg_aes_gcm_stream_decrypt(&stream, got, len), WHERE, VALUES);
    CHECK(!vg_aes_gcm_stream_verify(&stream, tag, 16), WHERE, VALUES);
    CHECK(!memcmp(got, text, len), WHERE, VALUES);
#endif
}
#endif

Test(counter_lengths, every_length_at_every_edge, .init = begin)
{
    struct random r = random_new(150);
    random_fill(&r, text, sizeof text);
    for (size_t len = 1; len <= LONGEST; len++)
        for (size_t e = 0; e < EDGES; e++) {
            uint8_t key[32], first[16];
            size_t key_len = key_sizes[(len + e) % key_sizes_count];
            random_fill(&r, key, sizeof key);
            random_fill(&r, first, sizeof first);
            /* The edge lies at the first block, at the one behind the last, or between. */
            vg_store_be32(first + 12, edges[e] - (uint32_t)random_below(&r, (len + 31) / 16));
            model_ctr(key, key_len, first, len);
            for (size_t s = 0; s < setups_count; s++) {
                if (len % 16 == 0)
                    try_blocks(s, key, key_len, first, len);
#if VG_STREAM
                try_stream(s, key, key_len, first, len);
#endif
            }
        }
}
