/* What this CPU makes of this build: known answers, and every variant that it can run against the last resort. For
 * emulators and bare boards: no test framework, no other library, quick at a hundredth of the speed.
 *
 *   emulated             print the variants, test them; exit status 0 if all is well
 *   emulated --chosen    print the variant that a key set up now uses, or the status that refuses it */
#include "harness/checked_call.h"
#include "harness/guard.h"
#include "harness/random.h"
#include "harness/setups.h"
#include <slices.h>
#include <stdio.h>
#include <string.h>
#include <vg/vg.h>

enum { LONGEST = 4111, LONGEST_AAD = 70 };

static struct setup setups[SETUPS_MAX];
static size_t setups_count;
static struct guard text_room, aad_room;
static unsigned failures;
static uint64_t digests[SETUPS_MAX]; /* FNV-1a of all ciphertexts and tags: the same in every build, on every CPU */

static struct message {
    uint8_t key[32], nonce[12], aad[LONGEST_AAD], plain[LONGEST], cipher[LONGEST], tag[16];
    size_t key_len, aad_len, len;
} m;

static void add_to_digest(uint64_t *digest, const uint8_t *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        *digest = (*digest ^ p[i]) * UINT64_C(0x100000001b3);
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

static void wrong(const struct setup *setup, const char *what, const char *complaint)
{
    printf("WRONG: %s, %s, key %zu, aad %zu, text %zu%s%s (VG_TEST_SEED=%llu)\n", setup->label, what, m.key_len,
           m.aad_len, m.len, complaint ? ": " : "", complaint ? complaint : "", (unsigned long long)random_seed());
    failures++;
}

#if VG_STREAM
/* In pieces that begin and end anywhere in a block, from a few bytes to all of the text. */
static void try_stream(const struct setup *setup, const struct vg_aes_gcm *gcm, uint8_t *text)
{
    struct vg_aes_gcm_stream stream;
    uint8_t tag[16];
    size_t piece = m.len % 7 * 100 + m.len % 29 + 1;
    int bad = vg_aes_gcm_stream_init(&stream, gcm, m.nonce, 12) || vg_aes_gcm_stream_aad(&stream, m.aad, m.aad_len);
    memcpy(text, m.plain, m.len);
    for (size_t at = 0; at < m.len; at += piece)
        bad |= vg_aes_gcm_stream_encrypt(&stream, text + at, m.len - at < piece ? m.len - at : piece) != VG_OK;
    if (bad || vg_aes_gcm_stream_finish(&stream, tag) || memcmp(text, m.cipher, m.len) || memcmp(tag, m.tag, 16))
        wrong(setup, "stream", NULL);
#if VG_OPEN
    bad = vg_aes_gcm_stream_init(&stream, gcm, m.nonce, 12) || vg_aes_gcm_stream_aad(&stream, m.aad, m.aad_len);
    memcpy(text, m.cipher, m.len);
    for (size_t at = 0; at < m.len; at += piece)
        bad |= vg_aes_gcm_stream_decrypt(&stream, text + at, m.len - at < piece ? m.len - at : piece) != VG_OK;
    if (bad || vg_aes_gcm_stream_verify(&stream, m.tag, 16) || memcmp(text, m.plain, m.len))
        wrong(setup, "stream to decrypt", NULL);
#endif
}
#endif

#if VG_SPLIT || VG_GATHER
/* Two and three slices, on every way. */
static void try_slices(const struct setup *setup, const struct vg_aes_gcm *gcm, uint8_t *text)
{
    static const char *const names[] = {"slices, copied", "slices, split", "slices, streamed", "slices"};
    const size_t first = m.len * (m.len % 31) / 31, second = (m.len - first) * (m.len % 3) / 3;
    for (int way = VG_WAY_COPY; way <= VG_WAY_BY_LEN; way++)
        for (size_t n = 2; n <= 3; n++) {
            uint8_t tag[16];
            struct vg_slice slices[] = {
                {m.plain, first}, {m.plain + first, second}, {m.plain + first + second, m.len - first - second}};
            slices[1].len = n == 2 ? m.len - first : second;
            memset(text, 0x77, m.len);
            if (vg_seal_slices(gcm, m.nonce, m.aad, m.aad_len, slices, text, m.len, tag, 12, n, (enum vg_way)way) ||
                memcmp(text, m.cipher, m.len) || memcmp(tag, m.tag, 16))
                wrong(setup, names[way], NULL);
        }
#if VG_GATHER
    const struct vg_slice slices[] = {{m.plain, first}, {m.plain + first, m.len - first}};
    uint8_t tag[16];
    memset(text, 0x77, m.len);
    if (vg_aes_gcm_seal_gather(gcm, m.nonce, 12, m.aad, m.aad_len, slices, 2, text, m.len, tag) ||
        memcmp(text, m.cipher, m.len) || memcmp(tag, m.tag, 16))
        wrong(setup, "seal_gather", NULL);
#endif
}
#endif

/* The message as this setup sees it, against what the last one made of it through the portable operations. */
static void try_setup(const struct setup *setup, uint64_t *digest)
{
    struct vg_aes_gcm gcm;
    uint8_t tag[16];
    uint8_t *aad = guard_high(&aad_room, m.aad_len), *text = guard_high(&text_room, m.len);
    setup_key(setup, &gcm, m.key, m.key_len);
    memcpy(aad, m.aad, m.aad_len);
    memcpy(text, m.plain, m.len);
    struct checked_result result =
        CHECKED_CALL(VG_CALL_FORM(&gcm, seal), &gcm, m.nonce, aad, m.aad_len, text, text, m.len, tag);
    if (result.complaint || memcmp(text, m.cipher, m.len) || memcmp(tag, m.tag, 16))
        wrong(setup, "seal", result.complaint);
    add_to_digest(digest, text, m.len);
    add_to_digest(digest, tag, 16);
#if VG_OPEN
    result = CHECKED_CALL(VG_CALL_FORM(&gcm, open), &gcm, m.nonce, aad, m.aad_len, text, text, m.len, tag);
    if (result.complaint || result.rax != VG_VERDICT_GOOD || memcmp(text, m.plain, m.len))
        wrong(setup, "open", result.complaint);
    tag[m.len % 16] ^= 0x40;
    memcpy(text, m.cipher, m.len);
    if (vg_aes_gcm_open(&gcm, m.nonce, 12, aad, m.aad_len, text, m.len, tag, 16) != VG_ERR_AUTH ||
        memcmp(text, m.cipher, m.len))
        wrong(setup, "open of a forgery", NULL);
#endif
#if VG_STREAM
    try_stream(setup, &gcm, text);
#endif
#if VG_SPLIT || VG_GATHER
    try_slices(setup, &gcm, text);
#endif
}

static void try_message(struct random *r, size_t key_len, size_t aad_len, size_t len)
{
    struct vg_aes_gcm gcm;
    m.key_len = key_len;
    m.aad_len = aad_len;
    m.len = len;
    random_fill(r, m.key, sizeof m.key);
    random_fill(r, m.nonce, sizeof m.nonce);
    random_fill(r, m.aad, aad_len);
    random_fill(r, m.plain, len);
    setup_key(&setups[setups_count - 1], &gcm, m.key, key_len);
    VG_CALL_FORM(&gcm, seal)(&gcm, m.nonce, m.aad, aad_len, m.plain, m.cipher, len, m.tag);
    for (size_t s = 0; s < setups_count; s++)
        try_setup(&setups[s], &digests[s]);
}

static void sweep(void)
{
    static const uint16_t more[] = {511, 512, 700, 767, 768, 769, 1024, 1500, 2047, 4096, 4111};
    struct random r = random_new(100);
    for (size_t s = 0; s < setups_count; s++)
        digests[s] = UINT64_C(0xcbf29ce484222325);
    for (size_t len = 0; len <= 600; len++)
        try_message(&r, key_sizes[len % key_sizes_count], random_below(&r, LONGEST_AAD + 1), len);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        for (size_t k = 0; k < key_sizes_count; k++)
            try_message(&r, key_sizes[k], random_below(&r, LONGEST_AAD + 1), more[i]);
    for (size_t s = 0; s < setups_count; s++)
        printf("digest %016llx: %s\n", (unsigned long long)digests[s], setups[s].label);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return strcmp(argv[1], "--chosen") ? 2 : say_chosen();
    say_variants();
    setups_count = setups_find(setups);
    text_room = guard_new(LONGEST);
    aad_room = guard_new(LONGEST_AAD);
    if (setups_count)
        sweep();
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
