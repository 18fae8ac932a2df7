/* Are lengths right that do not fit where short ones do: 2^29 bytes of AAD, whose bits fill 32; 64 MiB of text and
 * more? VG_TEST_LARGE in the environment asks for those; without it, the lengths are a hundredth. */
#define _GNU_SOURCE
#include "harness/check.h"
#include "harness/reference.h"
#include "harness/setups.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vg/vg.h>

enum { CHUNK = 1 << 20 };

static struct setup setups[SETUPS_MAX];
static size_t setups_count;
static const uint8_t key[32] = "a key for large messages, 32 by", nonce[12] = "large nonce";

static void begin(void)
{
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

static size_t scaled(size_t len) { return getenv("VG_TEST_LARGE") ? len : len / 100; }

/* len bytes of memory that is the same chunk again and again: as large as wanted, and small all the same. */
static uint8_t *repeated(size_t len)
{
    int file = memfd_create("repeated", 0);
    cr_assert(file >= 0 && !ftruncate(file, CHUNK));
    size_t room = (len + CHUNK - 1) / CHUNK * CHUNK;
    uint8_t *p = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cr_assert(p != MAP_FAILED);
    for (size_t at = 0; at < room; at += CHUNK)
        cr_assert(mmap(p + at, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == p + at);
    struct random r = random_new(130);
    random_fill(&r, p, CHUNK);
    close(file);
    return p + room - len;
}

Test(large, aad, .init = begin)
{
    for (int d = -1; d <= 1; d++) {
        size_t aad_len = scaled((size_t)1 << 29) + (size_t)d;
        const uint8_t *aad = repeated(aad_len);
        uint8_t text[16] = "sixteen of text", cipher[16], want[16], tag[16];
        size_t len = d ? 16 : 0;
        reference_seal(key, key_sizes[0], nonce, 12, aad, aad_len, text, cipher, len, want);
        for (size_t s = 0; s < setups_count; s++) {
            struct vg_aes_gcm gcm;
            uint8_t copy[16];
            memcpy(copy, text, 16);
            setup_key(&setups[s], &gcm, key, key_sizes[0]);
            CHECK(!vg_aes_gcm_seal(&gcm, nonce, 12, aad, aad_len, copy, len, tag), "%s, aad %zu", setups[s].label,
                  aad_len);
            CHECK(!memcmp(tag, want, 16) && !memcmp(copy, cipher, len), "%s, aad %zu", setups[s].label, aad_len);
        }
    }
}

Test(large, text, .init = begin)
{
    size_t len = scaled(67108833 + 15);
    uint8_t *text = repeated(len), *cipher = malloc(len), *copy = malloc(len), want[16], tag[16];
    cr_assert(cipher && copy);
    reference_seal(key, key_sizes[0], nonce, 12, NULL, 0, text, cipher, len, want);
    for (size_t s = 0; s < setups_count; s++) {
        struct vg_aes_gcm gcm;
        setup_key(&setups[s], &gcm, key, key_sizes[0]);
        CHECK(!vg_aes_gcm_seal_to(&gcm, nonce, 12, NULL, 0, text, copy, len, tag), "%s, text %zu", setups[s].label,
              len);
        CHECK(!memcmp(tag, want, 16) && !memcmp(copy, cipher, len), "%s, text %zu", setups[s].label, len);
#if VG_OPEN
        CHECK(!vg_aes_gcm_open(&gcm, nonce, 12, NULL, 0, copy, len, tag, 16), "%s, text %zu", setups[s].label, len);
        CHECK(!memcmp(copy, text, len), "%s, text %zu", setups[s].label, len);
#endif
    }
    free(cipher);
    free(copy);
}
