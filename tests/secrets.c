/* Does a branch or an address depend on a secret? For valgrind, which tells of each that depends on undefined bytes:
 * keys, texts, AAD and all that comes of them are undefined here.
 *
 *   secrets           every call of the library, every variant that valgrind can run; exit status 0 if all is well
 *   secrets branch    a branch that depends on a key
 *   secrets address   an address that depends on a key */
#include "harness/setups.h"
#include <internal.h>
#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>
#include <vg/vg.h>

enum { LONGEST = 1500, LONGEST_AAD = 300 };

static struct setup setups[SETUPS_MAX];
static struct vg_aes_gcm gcm;
static uint8_t aad[LONGEST_AAD], text[LONGEST], other[LONGEST], tag[16], nonce[60];
static size_t len, aad_len, nonce_len;
static unsigned wrong;

static void secret(void *p, size_t n) { VALGRIND_MAKE_MEM_UNDEFINED(p, n); }
static void public(void *p, size_t n) { VALGRIND_MAKE_MEM_DEFINED(p, n); }

/* A bit of p[n] is undefined. */
static int is_secret(const void *p, size_t n)
{
    static uint8_t bits[LONGEST];
    VALGRIND_GET_VBITS(p, bits, n);
    for (size_t i = 0; i < n; i++)
        if (bits[i])
            return 1;
    return 0;
}

/* The linker puts this in the place of vg_equal, which compares tags for all C code: here a verdict becomes public.
 * Kernels come to theirs in a function of its own, which tests/secrets.supp names. */
int __real_vg_equal(const uint8_t *a, const uint8_t *b, size_t n);
int __wrap_vg_equal(const uint8_t *a, const uint8_t *b, size_t n);
int __wrap_vg_equal(const uint8_t *a, const uint8_t *b, size_t n)
{
    int equal = __real_vg_equal(a, b, n);
    public(&equal, sizeof equal);
    return equal;
}

static void expect(enum vg_status got, enum vg_status want, const char *what)
{
    if (got == want)
        return;
    printf("WRONG: %s: key %u, aad %zu, text %zu: %s\n", what, 4 * (gcm.rounds - 6), aad_len, len, vg_status_text(got));
    wrong++;
}

/* Outputs are as secret as what they were made of, or nothing was tested. */
static void expect_secret(const void *p, size_t n, const char *what)
{
    if (!n || is_secret(p, n))
        return;
    printf("WRONG: %s does not depend on secrets\n", what);
    wrong++;
}

#define MESSAGE &gcm, nonce, nonce_len, aad, aad_len

static void whole(void)
{
    expect(vg_aes_gcm_seal(MESSAGE, text, len, tag), VG_OK, "seal");
    expect_secret(text, len, "ciphertext");
    expect_secret(tag, 16, "tag");
#if VG_OPEN
    expect(vg_aes_gcm_open(MESSAGE, text, len, tag, 16), VG_OK, "open");
    expect_secret(text, len, "plaintext");
#endif
    expect(vg_aes_gcm_seal_to(MESSAGE, text, other, len, tag), VG_OK, "seal_to");
#if VG_OPEN
    expect(vg_aes_gcm_open_to(MESSAGE, other, text, len, tag, 16), VG_OK, "open_to");
#if VG_TRUNCATED_TAGS
    expect(vg_aes_gcm_open_to(MESSAGE, other, text, len, tag, 12), VG_OK, "open_to, 12 bytes of tag");
#endif
    tag[7] ^= 1;
    expect(vg_aes_gcm_open(MESSAGE, other, len, tag, 16), VG_ERR_AUTH, "open of a forgery");
    expect(vg_aes_gcm_open_to(MESSAGE, other, text, len, tag, 16), VG_ERR_AUTH, "open_to of a forgery");
    secret(text, len);
#endif
}

static void pieces(void)
{
    const size_t cut[4] = {len / 3, len / 7, 0, len - len / 3 - len / 7};
#if VG_GATHER
    struct vg_slice slice[4];
    for (size_t i = 0, at = 0; i < 4; at += cut[i++])
        slice[i] = (struct vg_slice){text + at, cut[i]};
    expect(vg_aes_gcm_seal_gather(MESSAGE, slice, 4, other, len, tag), VG_OK, "gather");
    if (len) {
        slice[0] = (struct vg_slice){text, len - 1};
        slice[1] = (struct vg_slice){text + len - 1, 1};
        expect(vg_aes_gcm_seal_gather(MESSAGE, slice, 2, other, len, tag), VG_OK, "gather of n + 1 byte");
    }
#endif
#if VG_SPLIT
    expect(vg_aes_gcm_seal_split(MESSAGE, text, cut[0], other, len, tag), VG_OK, "split");
    expect(vg_aes_gcm_seal_split(MESSAGE, text, len - (len > 0), other, len, tag), VG_OK, "split of n + 1 byte");
#endif
#if VG_CHAIN
    struct vg_segment segment[4];
    for (size_t i = 0, at = 0; i < 4; at += cut[i++])
        segment[i] = (struct vg_segment){i % 2 ? other + at : text + at, other + at, cut[i]};
    expect(vg_aes_gcm_seal_chain(MESSAGE, segment, 4, tag), VG_OK, "chain");
#if VG_OPEN
    for (size_t i = 0; i < 4; i++)
        segment[i].src = segment[i].dst;
    expect(vg_aes_gcm_open_chain(MESSAGE, segment, 4, tag, 16), VG_OK, "open of a chain");
    tag[3] ^= 1;
    expect(vg_aes_gcm_open_chain(MESSAGE, segment, 4, tag, 16), VG_ERR_AUTH, "open of a forged chain");
#endif
#endif
}

#if VG_STREAM
static void stream_of(int encrypt)
{
    struct vg_aes_gcm_stream stream;
    expect(vg_aes_gcm_stream_init(&stream, &gcm, nonce, nonce_len), VG_OK, "stream_init");
    expect(vg_aes_gcm_stream_aad(&stream, aad, aad_len / 3), VG_OK, "stream_aad");
    expect(vg_aes_gcm_stream_aad(&stream, aad + aad_len / 3, aad_len - aad_len / 3), VG_OK, "stream_aad");
    for (size_t at = 0, step = 1; at < len; at += step, step = 2 * step + 1) {
        if (step > len - at)
            step = len - at;
#if VG_OPEN
        if (!encrypt) {
            expect(vg_aes_gcm_stream_decrypt_to(&stream, text + at, other + at, step), VG_OK, "stream_decrypt_to");
            continue;
        }
#endif
        expect(vg_aes_gcm_stream_encrypt(&stream, text + at, step), VG_OK, "stream_encrypt");
    }
    if (encrypt)
        expect(vg_aes_gcm_stream_finish(&stream, tag), VG_OK, "stream_finish");
#if VG_OPEN
    else
        expect(vg_aes_gcm_stream_verify(&stream, tag, 16), VG_OK, "stream_verify");
#endif
}
#endif

#if VG_BURST
static void burst(void)
{
    struct vg_packet packet = {&gcm, nonce, aad, aad_len, text, other, len, tag, VG_OK};
    if (vg_aes_gcm_seal_burst(&packet, 1) != 1)
        expect(packet.status, VG_OK, "burst");
#if VG_OPEN
    packet.src = other;
    if (vg_aes_gcm_open_burst(&packet, 1) != 1)
        expect(packet.status, VG_OK, "open burst");
#endif
}
#endif

#if VG_BLOCKS
static void blocks(void)
{
    uint8_t counter[16] = {0}, y[16];
    size_t n = len / 16;
    secret(y, 16);
    expect(vg_aes_ctr32(&gcm, counter, text, n), VG_OK, "ctr32");
    expect(vg_aes_ctr32_to(&gcm, counter, text, other, n), VG_OK, "ctr32_to");
    expect(vg_ghash(&gcm, y, text, n), VG_OK, "ghash");
    expect(vg_aes_gcm_encrypt_blocks(&gcm, counter, y, text, n), VG_OK, "encrypt_blocks");
    expect(vg_aes_gcm_encrypt_blocks_to(&gcm, counter, y, text, other, n), VG_OK, "encrypt_blocks_to");
#if VG_OPEN
    expect(vg_aes_gcm_decrypt_blocks(&gcm, counter, y, text, n), VG_OK, "decrypt_blocks");
#endif
    expect_secret(y, 16, "GHASH");
}
#endif

/* Every call with this key, for lengths on both sides of what kernels distinguish. */
static void try_lengths(void)
{
    static const uint16_t lens[] = {0, 1, 3, 7, 8, 15, 16, 17, 31, 48, 63, 64, 100, 127, 128, 129, 144, 145, 257, 400};
    for (size_t i = 0; i <= sizeof lens / sizeof *lens; i++) {
        len = i < sizeof lens / sizeof *lens ? lens[i] : LONGEST;
        aad_len = i * 37 % (LONGEST_AAD + 1);
        nonce_len = VG_ANY_NONCE && i % 5 == 4 ? 1 + i : 12;
        secret(text, sizeof text);
        secret(other, sizeof other);
        secret(aad, sizeof aad);
        whole();
        pieces();
#if VG_STREAM
        stream_of(1);
#if VG_OPEN
        stream_of(0);
#endif
#endif
#if VG_BURST
        burst();
#endif
#if VG_BLOCKS
        blocks();
#endif
    }
}

static void try_setup(const struct setup *setup)
{
    for (size_t k = 0; k < key_sizes_count; k++) {
        uint8_t key[32] = "0123456789abcdef0123456789abcde", round_keys[240];
        secret(key, sizeof key);
        setup_key(setup, &gcm, key, key_sizes[k]);
        expect_secret(gcm.round_key[1], 16, "round key");
        expect_secret(gcm.power[VG_POWERS - 1], 16, "H");
        try_lengths();
#if VG_BLOCKS
        expect(vg_aes_expand_key(round_keys, key, key_sizes[k]), VG_OK, "expand_key");
        expect_secret(round_keys, 16, "round key");
#else
        (void)round_keys;
#endif
        expect(vg_aes_gcm_init(&gcm, key, key_sizes[k]), VG_OK, "init");
        expect(vg_aes_gcm_prepare(&gcm), VG_OK, "prepare");
        vg_aes_gcm_clear(&gcm);
    }
}

static int leak(const char *how)
{
    static volatile uint8_t table[256], key[16];
    secret((void *)(uintptr_t)key, sizeof key);
    if (!strcmp(how, "address"))
        table[0] = table[key[3]];
    else if (key[3] & 1)
        table[0] = 1;
    return 0;
}

int main(int argc, char **argv)
{
    if (!RUNNING_ON_VALGRIND) {
        puts("secrets: this tells nothing unless valgrind runs it");
        return 2;
    }
    if (argc > 1)
        return leak(argv[1]);
    size_t n = setups_find(setups);
    for (size_t s = 0; s < n; s++) {
        unsigned before = VALGRIND_COUNT_ERRORS;
        try_setup(&setups[s]);
        printf("tried %s: %u branches or addresses depend on secrets\n", setups[s].label,
               (unsigned)VALGRIND_COUNT_ERRORS - before);
    }
#if VG_SELF_TEST
    expect(vg_self_test(), VG_OK, "self-test");
#endif
    printf("%zu ways to set up a key tried, %u wrong\n", n, wrong);
    return wrong || !n;
}
