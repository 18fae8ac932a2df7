/* Does nothing of the key, the powers, the keystream or the plaintext stay in registers or on the stack when a call
 * returns? Only where the build promises it. */
#include "harness/check.h"
#include "harness/checked_call.h"
#include "harness/message.h"
#include "harness/reference.h"
#include "harness/setups.h"
#include <internal.h>
#include <string.h>
#include <vg/vg.h>

#if VG_WIPE
enum { LONGEST = 700, SECRETS_MAX = 400, PIECE = 8, RUNS = 3, CALLS_MAX = 11, STACK_WORDS = 1024 };

static struct setup setups[SETUPS_MAX];
static size_t setups_count;
static struct message m;
static uint8_t text[LONGEST];
static struct {
    const char *what;
    uint8_t bytes[PIECE];
} secrets[SECRETS_MAX];
static size_t secrets_count;
static uint8_t begins[1 << 16]; /* whether a secret begins with these two bytes */

/* What calls left behind: the lowest words of the stack that they may use, and the vector registers. */
static struct remains {
    uint64_t words[STACK_WORDS + 32 * 8];
} remains[RUNS][CALLS_MAX];
static size_t run, calls;

static void begin(void)
{
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

static unsigned first_two(const uint8_t *p) { return (unsigned)p[0] << 8 | p[1]; }

static void add_secret(const char *what, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i + PIECE <= len && secrets_count < SECRETS_MAX; i += PIECE) {
        secrets[secrets_count].what = what;
        begins[first_two(bytes + i)] = 1;
        memcpy(secrets[secrets_count++].bytes, bytes + i, PIECE);
    }
}

/* Half a block of any of these is enough to be found. */
static void list_secrets(const struct vg_aes_gcm *gcm)
{
    uint8_t block[16], h[16] = {0};
    while (secrets_count)
        begins[first_two(secrets[--secrets_count].bytes)] = 0;
    add_secret("round keys", gcm->round_key[0], 16 * (gcm->rounds + 1));
    add_secret("powers of H", gcm->power[gcm->prepared ? 0 : VG_POWERS - 1], gcm->prepared ? 16 * VG_POWERS : 16);
    reference_block(m.key, m.key_len, h, h);
    add_secret("H", h, 16);
    memcpy(block, m.nonce, 12);
    vg_store_be32(block + 12, 1);
    reference_block(m.key, m.key_len, block, block);
    add_secret("E(K, J0)", block, 16);
    add_secret("text", m.text, m.len < 256 ? m.len : 256);
    for (size_t i = 0; i + 16 <= m.len && i < 256; i += 16) {
        vg_store128(block, vg_load128(m.text + i) ^ vg_load128(m.cipher + i));
        add_secret("keystream", block, 16);
    }
}

static const char *find_secret(const uint8_t *p, size_t len)
{
    for (size_t at = 0; at + PIECE <= len; at++)
        for (size_t i = 0; begins[first_two(p + at)] && i < secrets_count; i++)
            if (!memcmp(p + at, secrets[i].bytes, PIECE))
                return secrets[i].what;
    return NULL;
}

static void nothing_left(const struct setup *setup, const char *call, struct checked_result result)
{
    const char *found = find_secret(checked_vectors(), 32 * 64);
    CHECK(!found, "%s, %s, key %zu, aad %zu, text %zu: %s in a register", setup->label, call, m.key_len, m.aad_len,
          m.len, found);
    found = find_secret(checked_stack() + CHECKED_STACK - 4096 - result.stack_used, result.stack_used + 4096);
    CHECK(!found, "%s, %s, key %zu, aad %zu, text %zu: %s on the stack", setup->label, call, m.key_len, m.aad_len,
          m.len, found);
    cr_assert(calls < CALLS_MAX && result.stack_used + 256 < 8 * STACK_WORDS);
    struct remains *now = &remains[run][calls++];
    memcpy(now->words, checked_stack() + CHECKED_STACK - 8 * STACK_WORDS, 8 * STACK_WORDS);
    memcpy(now->words + STACK_WORDS, checked_vectors(), 32 * 64);
}

/* What a variant has in C is left out: nobody but the compiler knows where values have been. That is the whole portable
 * variant, GHASH of those without PCLMULQDQ, and what unstitched.c does for those that lack either AES-NI or it. */
#define STITCHED (VG_CPU_AES | VG_CPU_PCLMULQDQ)

static void try_messages(const struct setup *setup, const struct vg_aes_gcm *gcm)
{
    uint8_t tag[16];
    size_t n = m.len / 16;
    memcpy(text, m.text, m.len);
    nothing_left(setup, "seal",
                 CHECKED_CALL(VG_CALL_FORM(gcm, seal), gcm, m.nonce, m.aad, m.aad_len, text, text, m.len, tag));
#if VG_OPEN
    tag[m.len % 16] ^= 1;
    nothing_left(setup, "open of a forgery",
                 CHECKED_CALL(VG_CALL_FORM(gcm, open), gcm, m.nonce, m.aad, m.aad_len, m.cipher, text, m.len, tag));
    tag[m.len % 16] ^= 1;
    nothing_left(setup, "open",
                 CHECKED_CALL(VG_CALL_FORM(gcm, open), gcm, m.nonce, m.aad, m.aad_len, m.cipher, text, m.len, tag));
#endif
    if (!n)
        return;
    for (uint32_t flags = 0; flags < 4; flags++) {
        struct vg_run text_run = {{0}, {0}, {0}, {0}};
        memcpy(text_run.counter, m.nonce, 12);
        text_run.counter[15] = 2;
        memcpy(text_run.block, m.cipher, 16);
        if (VG_OPEN || !(flags & VG_RUN_DECRYPT))
            nothing_left(setup, "crypt_run",
                         CHECKED_CALL(VG_CALL_FORM(gcm, crypt_run), gcm, &text_run,
                                      flags & VG_RUN_DECRYPT ? m.cipher : m.text, text, n, flags | VG_RUN_KEYSTREAM));
    }
}

static void try_ghash(const struct setup *setup, const struct vg_aes_gcm *gcm)
{
    uint8_t y[16] = {0};
    if (m.len / 16)
        nothing_left(setup, "ghash", CHECKED_CALL(VG_CALL_FORM(gcm, ghash), gcm, y, m.cipher, m.len / 16));
#if !VG_CONTEXT_BASE
    struct vg_aes_gcm again = *gcm;
    nothing_left(setup, "powers", CHECKED_CALL(VG_CALL(&again, powers), &again));
#endif
}

static void try_aes(const struct setup *setup, const struct vg_aes_gcm *gcm)
{
    struct vg_aes_gcm again = {.variant = setup->variant};
    uint8_t counter[16] = {0};
    memcpy(counter, m.nonce, 12);
    counter[15] = 2;
    if (m.len / 16)
        nothing_left(setup, "ctr32", CHECKED_CALL(VG_CALL(gcm, ctr32_to), gcm, counter, m.text, text, m.len / 16));
    nothing_left(setup, "init", CHECKED_CALL(VG_CALL(&again, init), &again, m.key, m.key_len));
}

/* Whether there was a kernel to look into. */
static unsigned try_operations(const struct setup *setup)
{
    struct vg_aes_gcm gcm;
    calls = 0;
    if (!setup->needs)
        return 0;
    setup_key(setup, &gcm, m.key, m.key_len);
    list_secrets(&gcm);
    try_aes(setup, &gcm);
    if (setup->needs & VG_CPU_PCLMULQDQ)
        try_ghash(setup, &gcm);
    if ((setup->needs & STITCHED) == STITCHED)
        try_messages(setup, &gcm);
    return 1;
}

Test(wipe, kernels_leave_nothing, .init = begin)
{
    struct random r = random_new(120);
    unsigned tried = 0;
    for (size_t len = 0; len <= LONGEST; len += len < 80 ? 1 : 37)
        for (size_t k = 0; k < key_sizes_count; k++) {
            message_random(&m, &r, key_sizes[k], 12, random_below(&r, 70), len);
            for (size_t s = 0; s < setups_count; s++)
                tried += try_operations(&setups[s]);
        }
    if (!tried)
        cr_skip_test("no variant with kernels can run here");
}

/* The secret in any disguise, such as round keys in another form: a word that was the same after two calls with the
 * same secrets, so that it is not junk of the caller's, is the same with other secrets. */
static void nothing_differs(const struct setup *setup)
{
    for (size_t c = 0; c < calls; c++) {
        const uint64_t *first = remains[0][c].words, *second = remains[1][c].words, *other = remains[2][c].words;
        for (size_t w = 0; w < sizeof(struct remains) / 8; w++)
            CHECK(first[w] != second[w] || first[w] == other[w],
                  "%s, call %zu, key %zu, aad %zu, text %zu: %s depends on a secret", setup->label, c, m.key_len,
                  m.aad_len, m.len, w < STACK_WORDS ? "the stack" : "a register");
    }
}

Test(wipe, what_kernels_leave_does_not_depend_on_secrets, .init = begin)
{
    static const uint16_t lens[] = {0, 1, 16, 63, 150, 417, LONGEST};
    static struct message other;
    struct random r = random_new(121);
    unsigned tried = 0;
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++)
        for (size_t k = 0; k < key_sizes_count; k++)
            for (size_t s = 0; s < setups_count; s++) {
                message_random(&m, &r, key_sizes[k], 12, 40, lens[i]);
                other = m;
                random_fill(&r, other.key, m.key_len);
                random_fill(&r, other.text, m.len);
                message_update(&other);
                for (run = 0; run < RUNS; run++) {
                    if (run == 2)
                        m = other;
                    tried += try_operations(&setups[s]);
                }
                nothing_differs(&setups[s]);
            }
    if (!tried)
        cr_skip_test("no variant with kernels can run here");
}
#endif
