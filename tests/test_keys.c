/* Are round keys, the hash subkey and its powers what the standards and a bit-by-bit model say? */
#include "harness/check.h"
#include "harness/field.h"
#include "harness/reference.h"
#include "harness/setups.h"
#include <internal.h>
#include <string.h>
#include <vg/vg.h>

static struct setup setups[SETUPS_MAX];
static size_t setups_count;

static void begin(void)
{
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

/* FIPS 197, appendix A: a key, its first expanded word and its last. */
static const struct {
    size_t key_len;
    uint8_t key[32], first[4], last[16];
} expansions[] = {
    {16,
     {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c},
     {0xa0, 0xfa, 0xfe, 0x17},
     {0xd0, 0x14, 0xf9, 0xa8, 0xc9, 0xee, 0x25, 0x89, 0xe1, 0x3f, 0x0c, 0xc8, 0xb6, 0x63, 0x0c, 0xa6}},
    {24,
     {0x8e, 0x73, 0xb0, 0xf7, 0xda, 0x0e, 0x64, 0x52, 0xc8, 0x10, 0xf3, 0x2b,
      0x80, 0x90, 0x79, 0xe5, 0x62, 0xf8, 0xea, 0xd2, 0x52, 0x2c, 0x6b, 0x7b},
     {0xfe, 0x0c, 0x91, 0xf7},
     {0xe9, 0x8b, 0xa0, 0x6f, 0x44, 0x8c, 0x77, 0x3c, 0x8e, 0xcc, 0x72, 0x04, 0x01, 0x00, 0x22, 0x02}},
    {32,
     {0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
      0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4},
     {0x9b, 0xa3, 0x54, 0x11},
     {0xfe, 0x48, 0x90, 0xd1, 0xe6, 0x18, 0x8d, 0x0b, 0x04, 0x6d, 0xf3, 0x44, 0x70, 0x6c, 0x63, 0x1e}},
};

static int is_supported(size_t key_len)
{
    for (size_t k = 0; k < key_sizes_count; k++)
        if (key_sizes[k] == key_len)
            return 1;
    return 0;
}

Test(keys, expansion_is_that_of_fips_197, .init = begin)
{
    for (size_t i = 0; i < sizeof expansions / sizeof *expansions; i++) {
        size_t key_len = expansions[i].key_len, rounds = key_len / 4 + 6;
        if (!is_supported(key_len))
            continue;
        for (size_t s = 0; s < setups_count; s++) {
            struct vg_aes_gcm gcm;
            setup_key(&setups[s], &gcm, expansions[i].key, key_len);
            CHECK(gcm.rounds == rounds, "%s, key %zu", setups[s].label, key_len);
            CHECK(!memcmp(gcm.round_key, expansions[i].key, key_len), "%s, key %zu", setups[s].label, key_len);
            CHECK(!memcmp((const uint8_t *)gcm.round_key + key_len, expansions[i].first, 4), "%s, key %zu",
                  setups[s].label, key_len);
            CHECK(!memcmp(gcm.round_key[rounds], expansions[i].last, 16), "%s, key %zu", setups[s].label, key_len);
        }
#if VG_BLOCKS
        uint8_t round_keys[240 + 1];
        memset(round_keys, 0x77, sizeof round_keys);
        CHECK(!vg_aes_expand_key(round_keys, expansions[i].key, key_len), "key %zu", key_len);
        CHECK(!memcmp(round_keys + key_len, expansions[i].first, 4), "key %zu", key_len);
        CHECK(!memcmp(round_keys + 16 * rounds, expansions[i].last, 16), "key %zu", key_len);
        CHECK(round_keys[16 * (rounds + 1)] == 0x77, "key %zu", key_len);
#endif
    }
}

/* Each power of each variant against the model, which knows nothing of the library. */
Test(keys, powers_are_those_of_the_model, .init = begin)
{
    struct random r = random_new(20);
    for (size_t turn = 0; turn < 4; turn++)
        for (size_t k = 0; k < key_sizes_count; k++) {
            uint8_t key[32], h[16], power[16], encoded[VG_POWERS][16];
            random_fill(&r, key, sizeof key);
            reference_block(key, key_sizes[k], (uint8_t[16]){0}, h);
            memcpy(power, h, 16);
            for (size_t i = 1; i <= VG_POWERS; i++) {
                field_encode(encoded[VG_POWERS - i], power);
                field_multiply(power, power, h);
            }
            for (size_t s = 0; s < setups_count; s++) {
                struct vg_aes_gcm gcm;
                setup_key(&setups[s], &gcm, key, key_sizes[k]);
                for (size_t i = 1; i <= (setups[s].prepared ? VG_POWERS : 1); i++)
                    CHECK(!memcmp(gcm.power[VG_POWERS - i], encoded[VG_POWERS - i], 16), "%s, key %zu, H^%zu",
                          setups[s].label, key_sizes[k], i);
            }
        }
}

/* The form of a power that the kernels rely on: v * x, and the reduction where a bit falls out. */
Test(keys, encoded_form_is_a_shift_and_a_reduction)
{
    struct random r = random_new(21);
    for (size_t turn = 0; turn < 200; turn++) {
        uint8_t h[16], encoded[16];
        random_fill(&r, h, 16);
        field_encode(encoded, h);
        unsigned __int128 v = 0, want;
        for (unsigned i = 0; i < 16; i++)
            v = v << 8 | h[i];
        unsigned __int128 constant = (unsigned __int128)UINT64_C(0xc200000000000000) << 64 | 1;
        want = v << 1 ^ (v >> 127 ? constant : 0);
        CHECK(!memcmp(encoded, &want, 16), "turn %zu", turn);
    }
}

Test(keys, a_copied_context_works_and_a_cleared_one_is_zero, .init = begin)
{
    struct vg_aes_gcm gcm, copy;
    uint8_t text[40] = {1, 2, 3}, same[40] = {1, 2, 3}, tag[16], same_tag[16];
    memset(&gcm, 0xff, sizeof gcm);
    CHECK(!vg_aes_gcm_init(&gcm, (const uint8_t *)"0123456789abcdef0123456789abcdef", key_sizes[0]), "init");
    copy = gcm;
    CHECK(!vg_aes_gcm_seal(&gcm, (const uint8_t *)"nonce nonce ", 12, NULL, 0, text, 40, tag), "seal");
    vg_aes_gcm_clear(&gcm);
    for (size_t i = 0; i < sizeof gcm; i++)
        CHECK(((const uint8_t *)&gcm)[i] == 0, "byte %zu", i);
    CHECK(!vg_aes_gcm_seal(&copy, (const uint8_t *)"nonce nonce ", 12, NULL, 0, same, 40, same_tag), "seal");
    CHECK(!memcmp(text, same, 40) && !memcmp(tag, same_tag, 16), "the copy");
    vg_aes_gcm_clear(NULL);
}
