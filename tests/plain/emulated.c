/* What this CPU makes of this build: known answers, and every variant that it can run against the last resort. For
 * emulators and bare boards: no test framework, no other library, quick at a hundredth of the speed.
 *
 *   emulated             print the variants, test them; exit status 0 if all is well
 *   emulated --chosen    print the variant that a key set up now uses, or the status that refuses it */
#include "harness/checked_call.h"
#include "harness/guard.h"
#include "harness/random.h"
#include "harness/setups.h"
#include <internal.h>
#include <stdio.h>
#include <string.h>
#include <vg/vg.h>

enum { LONGEST = 4111, LONGEST_AAD = 70 };

static struct setup setups[SETUPS_MAX];
static size_t setups_count;
static struct guard text_room, aad_room;
static unsigned failures;
static uint64_t digest; /* FNV-1a of all ciphertexts and tags of a setup: the same in every build, on every CPU */

static void add_to_digest(const uint8_t *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        digest = (digest ^ p[i]) * UINT64_C(0x100000001b3);
}

static int say_chosen(void)
{
    struct vg_aes_gcm gcm;
    enum vg_status status = vg_aes_gcm_init(&gcm, (const uint8_t *)"0123456789abcdef0123456789abcdef", key_sizes[0]);
    puts(status ? vg_status_text(status) : vg_variant_name(&gcm));
    return status != VG_OK;
}

static void say_variants(void)
{
    struct vg_variant_info info;
    printf("features:");
    for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT; bit++)
        if (vg_cpu_features() >> bit & 1)
            printf(" %s", vg_cpu_feature_name(bit));
    printf("\n");
    for (size_t v = 0; vg_variants(v, &info); v++)
        printf("variant %s: %s\n", info.name,
               info.chosen    ? "chosen"
               : info.missing ? "cannot run here"
               : info.avoided ? "avoided on this CPU model"
                              : "can run here");
}

static void wrong(const struct setup *setup, const char *what, size_t key_len, size_t aad_len, size_t len,
                  const char *complaint)
{
    printf("WRONG: %s, %s, key %zu, aad %zu, text %zu%s%s (VG_TEST_SEED=%llu)\n", setup->label, what, key_len, aad_len,
           len, complaint ? ": " : "", complaint ? complaint : "", (unsigned long long)random_seed());
    failures++;
}

/* One message by this setup against the same by the last one, through the portable operations. */
static void try_message(const struct setup *setup, struct random *r, size_t key_len, size_t aad_len, size_t len)
{
    static uint8_t plain[LONGEST], cipher[LONGEST];
    struct vg_aes_gcm gcm, other;
    uint8_t key[32], nonce[12], want[16], tag[16];
    uint8_t *aad = guard_high(&aad_room, aad_len), *text = guard_high(&text_room, len);
    random_fill(r, key, sizeof key);
    random_fill(r, nonce, sizeof nonce);
    random_fill(r, aad, aad_len);
    random_fill(r, plain, len);
    setup_key(&setups[setups_count - 1], &other, key, key_len);
    setup_key(setup, &gcm, key, key_len);
    VG_CALL_FORM(&other, seal)(&other, nonce, aad, aad_len, plain, cipher, len, want);
    memcpy(text, plain, len);
    struct checked_result result =
        CHECKED_CALL(VG_CALL_FORM(&gcm, seal), &gcm, nonce, aad, aad_len, text, text, len, tag);
    if (result.complaint || memcmp(text, cipher, len) || memcmp(tag, want, 16))
        wrong(setup, "seal", key_len, aad_len, len, result.complaint);
    add_to_digest(text, len);
    add_to_digest(tag, 16);
#if VG_OPEN
    result = CHECKED_CALL(VG_CALL_FORM(&gcm, open), &gcm, nonce, aad, aad_len, text, text, len, tag);
    if (result.complaint || result.rax != VG_VERDICT_GOOD || memcmp(text, plain, len))
        wrong(setup, "open", key_len, aad_len, len, result.complaint);
    tag[len % 16] ^= 0x40;
    memcpy(text, cipher, len);
    if (vg_aes_gcm_open(&gcm, nonce, 12, aad, aad_len, text, len, tag, 16) != VG_ERR_AUTH || memcmp(text, cipher, len))
        wrong(setup, "open of a forgery", key_len, aad_len, len, NULL);
#endif
}

static void sweep(const struct setup *setup)
{
    static const uint16_t more[] = {511, 512, 700, 767, 768, 769, 1024, 1500, 2047, 4096, 4111};
    struct random r = random_new(100);
    digest = UINT64_C(0xcbf29ce484222325);
    for (size_t len = 0; len <= 300; len++)
        try_message(setup, &r, key_sizes[len % key_sizes_count], random_below(&r, LONGEST_AAD + 1), len);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        for (size_t k = 0; k < key_sizes_count; k++)
            try_message(setup, &r, key_sizes[k], random_below(&r, LONGEST_AAD + 1), more[i]);
    printf("digest %016llx: %s\n", (unsigned long long)digest, setup->label);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return strcmp(argv[1], "--chosen") ? 2 : say_chosen();
    say_variants();
    setups_count = setups_find(setups);
    text_room = guard_new(LONGEST);
    aad_room = guard_new(LONGEST_AAD);
    for (size_t s = 0; s < setups_count; s++)
        sweep(&setups[s]);
#if VG_SELF_TEST
    enum vg_status status = vg_self_test();
    if (status && !(status == VG_ERR_CPU && setups_count == 0)) {
        printf("WRONG: self-test: %s\n", vg_status_text(status));
        failures++;
    }
#endif
    struct vg_aes_gcm gcm;
    if (setups_count == 0 && vg_aes_gcm_init(&gcm, (const uint8_t *)"0123456789abcdef", 16) != VG_ERR_CPU) {
        printf("WRONG: no variant can run here, and yet a key is set up\n");
        failures++;
    }
    printf("%zu ways to set up a key tried, %u wrong\n", setups_count, failures);
    return failures != 0;
}
