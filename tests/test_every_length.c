/* Is every length to 5,000 bytes right, and are those around 4,096 and 65,536: in place, and with the output directly
 * before or after the input in memory? Is a text whose last vector lies at dst already? Kernels have other paths for
 * lengths that differ by one, and the other suites leave lengths out. */
#include "harness/check.h"
#include "harness/guard.h"
#include "harness/reference.h"
#include "harness/setups.h"
#include <internal.h>
#include <string.h>
#include <vg/vg.h>

enum { TEXT_MAX = 65600, AAD_MAX = 70 };

static struct guard room, tag_room;
static struct setup setups[SETUPS_MAX];
static size_t setups_count;
static struct random r;

static struct {
    size_t key_len, aad_len, len;
    uint8_t key[32], nonce[12], aad[AAD_MAX], tag[16], text[TEXT_MAX], cipher[TEXT_MAX];
} m;

static void begin(void)
{
    room = guard_new(2 * TEXT_MAX + 4096);
    tag_room = guard_new(16);
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
    r = random_new(140);
    random_fill(&r, m.text, TEXT_MAX);
}

static void next_message(size_t key_len, size_t len)
{
    m.key_len = key_len;
    m.len = len;
    m.aad_len = random_below(&r, 4) ? random_below(&r, 17) : random_below(&r, AAD_MAX + 1);
    random_fill(&r, m.key, sizeof m.key);
    random_fill(&r, m.nonce, sizeof m.nonce);
    random_fill(&r, m.aad, sizeof m.aad);
    random_fill(&r, m.text + (len < 64 ? 0 : len - 64), 64);
    reference_seal(m.key, key_len, m.nonce, 12, m.aad, m.aad_len, m.text, m.cipher, len, m.tag);
}

#define WHERE  "%s, key %zu, aad %zu, text %zu, %s"
#define VALUES setup->label, m.key_len, m.aad_len, m.len, how

/* Where src and dst lie: one ends at the upper guard page, or begins after the lower one. */
static void lay_out(size_t way, uint8_t **src, uint8_t **dst, const char **how)
{
    static const char *const names[] = {"in place, high", "dst before src", "dst after src", "in place, low"};
    uint8_t *high = guard_high(&room, m.len), *low = guard_low(&room, 0);
    *how = names[way];
    *src = way == 2 ? high - m.len : way == 3 ? low : high;
    *dst = way == 1 ? high - m.len : way == 2 ? high : *src;
}

static void try_one(const struct setup *setup, size_t way)
{
    struct vg_aes_gcm gcm;
    uint8_t *src, *dst, *tag = guard_high(&tag_room, 16);
    const char *how;
    size_t n = m.len;
    setup_key(setup, &gcm, m.key, m.key_len);
    lay_out(way, &src, &dst, &how);
    memcpy(src, m.text, n);
    memset(tag, 0, 16);
    CHECK(!vg_aes_gcm_seal_to(&gcm, m.nonce, 12, m.aad, m.aad_len, src, dst, n, tag), WHERE, VALUES);
    CHECK(!memcmp(dst, m.cipher, n) && !memcmp(tag, m.tag, 16), WHERE, VALUES);
    CHECK(src == dst || !memcmp(src, m.text, n), WHERE, VALUES);
#if VG_OPEN
    memcpy(src, m.cipher, n);
    CHECK(!vg_aes_gcm_open_to(&gcm, m.nonce, 12, m.aad, m.aad_len, src, dst, n, tag, 16), WHERE, VALUES);
    CHECK(!memcmp(dst, m.text, n), WHERE, VALUES);
    CHECK(src == dst || !memcmp(src, m.cipher, n), WHERE, VALUES);

    tag[n % 16] ^= (uint8_t)(1u << n % 7);
    memcpy(src, m.cipher, n);
    CHECK(vg_aes_gcm_open_to(&gcm, m.nonce, 12, m.aad, m.aad_len, src, dst, n, tag, 16) == VG_ERR_AUTH, WHERE, VALUES);
    CHECK(!memcmp(src, m.cipher, n), WHERE, VALUES);
    for (size_t i = 0; i < n && src != dst; i++)
        CHECK(dst[i] == 0, WHERE, VALUES);
#endif
}

static void try_length(size_t len)
{
    for (size_t k = 0; k < key_sizes_count; k++) {
        next_message(key_sizes[k], len);
        for (size_t s = 0; s < setups_count; s++)
            try_one(&setups[s], (len + k) % 4);
    }
}

Test(every_length, to_5000, .init = begin)
{
    for (size_t len = 0; len <= 5000; len++)
        try_length(len);
}

Test(every_length, around_4096_and_65536, .init = begin)
{
    for (size_t len = 4065; len <= 4112; len++)
        for (size_t i = 0; i < 3; i++)
            try_length(len);
    for (size_t len = 65520; len <= 65600; len++)
        try_length(len);
}

#if VG_SPLIT || VG_GATHER
/* What src has where the text is at dst, and what dst has where it is at src, must not matter. */
static void try_split(const struct setup *setup, size_t mask)
{
    struct vg_aes_gcm gcm;
    uint8_t *src, *dst, tag[16];
    const char *how;
    size_t n = m.len, at = n ? (n - 1) & mask : 0;
    setup_key(setup, &gcm, m.key, m.key_len);
    lay_out(1 + n % 2, &src, &dst, &how);
    random_fill(&r, src, n);
    random_fill(&r, dst, n);
    memcpy(src, m.text, at);
    memcpy(dst + at, m.text + at, n - at);
    VG_CALL_FORM(&gcm, seal_split)(&gcm, m.nonce, m.aad, m.aad_len, src, dst, n, tag);
    CHECK(!memcmp(dst, m.cipher, n) && !memcmp(tag, m.tag, 16), WHERE, VALUES);
    CHECK(!memcmp(src, m.text, at), WHERE, VALUES);
}

Test(every_length, last_vector_at_dst, .init = begin)
{
    unsigned tried = 0;
    for (size_t len = 0; len <= 1400; len++)
        for (size_t k = 0; k < key_sizes_count; k++) {
            next_message(key_sizes[k], len);
            for (size_t s = 0; s < setups_count; s++) {
                size_t mask = VG_VARIANT(&setups[s])->split_mask;
                if (mask) {
                    try_split(&setups[s], mask);
                    tried++;
                }
            }
        }
    if (!tried)
        cr_skip_test("no variant that can run here reads the last vector of a text at dst");
}
#endif
