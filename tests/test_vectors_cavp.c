/* Does the library do what all 47,250 vectors of NIST's CAVP for GCM say? They are read from Debian's package
 * python3-cryptography-vectors, or from the directory that VG_CAVP names. */
#include "harness/check.h"
#include "harness/vectors_cavp.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PACKAGE   "python3-cryptography-vectors"
#define DIRECTORY "/usr/lib/python3/dist-packages/cryptography_vectors/ciphers/AES/GCM"

enum { VECTORS_PER_FILE = 7875 };

static struct cavp cavp;
static struct vector v;
static struct setup setups[SETUPS_MAX];

static FILE *open_file(const char *name)
{
    char path[4096];
    const char *named = getenv("VG_CAVP");
    snprintf(path, sizeof path, "%s/%s", named && *named ? named : DIRECTORY, name);
    FILE *file = fopen(path, "r");
    if (!file)
        cr_assert_fail("%s: %s; install the package " PACKAGE ", or name a directory with the files in VG_CAVP", path,
                       strerror(errno));
    return file;
}

/* key_len is what the file's name says, forged how many of its vectors must not open. */
static void try_file(const char *name, size_t key_len, size_t forged)
{
    struct vectors_tally tally = {.file = name};
    FILE *file = open_file(name);
    enum vectors_got got;
    size_t n = setups_find(setups);
    CHECK(n, "no variant can run");
    cavp_begin(&cavp, file, name);
    while ((got = cavp_next(&cavp, &v)) == VECTORS_ONE) {
        CHECK(v.key_len == key_len, "%s:%zu: a key of %zu bytes", name, v.line, v.key_len);
        vectors_count(&tally, setups, n, &v);
    }
    fclose(file);
    vectors_say_left(&tally);
    CHECK(got == VECTORS_END, "%s", cavp.wrong);
    CHECK(tally.seen == VECTORS_PER_FILE, "%s: %zu vectors where %d should be; is " PACKAGE " whole?", name, tally.seen,
          VECTORS_PER_FILE);
    CHECK(tally.forged == forged, "%s: %zu forged vectors where %zu should be", name, tally.forged, forged);
    CHECK(!tally.wrong, "%s: %zu of %zu vectors are wrong; the first are above", name, tally.wrong, tally.seen);
}

Test(vectors_cavp, decrypt_128)
{
    try_file("gcmDecrypt128.rsp", 16, 4011);
}

Test(vectors_cavp, decrypt_192)
{
    try_file("gcmDecrypt192.rsp", 24, 3978);
}

Test(vectors_cavp, decrypt_256)
{
    try_file("gcmDecrypt256.rsp", 32, 3919);
}

Test(vectors_cavp, encrypt_128)
{
    try_file("gcmEncryptExtIV128.rsp", 16, 0);
}

Test(vectors_cavp, encrypt_192)
{
    try_file("gcmEncryptExtIV192.rsp", 24, 0);
}

Test(vectors_cavp, encrypt_256)
{
    try_file("gcmEncryptExtIV256.rsp", 32, 0);
}

#define SECTIONS "[Keylen = 128]\r\n[IVlen = 8]\r\n[PTlen = 16]\r\n[AADlen = 0]\r\n[Taglen = 32]\r\n\r\n"
#define START    "Count = 7\r\nKey = 000102030405060708090a0b0c0d0e0F\r\nIV = 2a\r\n"
#define TAG      "AAD = \r\nTag = 01020304\r\n"
#define WHOLE    SECTIONS START "CT = beef\r\n" TAG

static enum vectors_got read_text(const char *text)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    CHECK(file, "%s", text);
    cavp_begin(&cavp, file, "text");
    enum vectors_got got = cavp_next(&cavp, &v);
    if (got == VECTORS_ONE)
        got = cavp_next(&cavp, &v) == VECTORS_END ? VECTORS_ONE : VECTORS_MALFORMED;
    fclose(file);
    return got;
}

Test(vectors_cavp, a_vector_is_read_as_it_is_written)
{
    CHECK(read_text(WHOLE "PT = cafe\r\n") == VECTORS_ONE, "%s", cavp.wrong);
    CHECK(v.number == 7 && v.key_len == 16 && v.nonce_len == 1 && v.aad_len == 0 && v.len == 2 && v.tag_len == 4,
          "lengths");
    CHECK(v.key[1] == 1 && v.key[15] == 15 && v.nonce[0] == 0x2a && v.tag[3] == 4, "key, nonce, tag");
    CHECK(!memcmp(v.text, "\xca\xfe", 2) && !memcmp(v.cipher, "\xbe\xef", 2), "texts");
    CHECK(v.verdict == VECTOR_GOOD && v.has_text, "verdict");
    CHECK(read_text(WHOLE "FAIL\r\n\r\n") == VECTORS_ONE, "%s", cavp.wrong);
    CHECK(v.verdict == VECTOR_FORGED && !v.has_text, "verdict");
    CHECK(read_text("# nothing\n\n") == VECTORS_END, "%s", cavp.wrong);
}

Test(vectors_cavp, what_is_malformed_is_not_passed_over)
{
    static const struct {
        const char *text, *place;
    } bad[] = {
        {WHOLE, "text:12:"},                                  /* neither PT nor FAIL */
        {WHOLE "FAIL\r\nPT = cafe\r\n", "text:14:"},          /* both */
        {WHOLE "FAIL\r\nFAIL\r\n", "text:14:"},               /* twice */
        {WHOLE "PT = caf\r\n", "text:13:"},                   /* half a byte */
        {WHOLE "PT = cafe00\r\n", "text:13:"},                /* longer than its section says */
        {WHOLE "PT = cafg\r\n", "text:13:"},                  /* no hex digit */
        {WHOLE "PT cafe\r\n", "text:13:"},                    /* no field */
        {WHOLE "QT = cafe\r\n", "text:13:"},                  /* no field that is known */
        {WHOLE "[Taglen = 64]\r\nPT = cafe\r\n", "text:13:"}, /* a section within a vector */
        {SECTIONS START TAG "PT = cafe\r\n", "text:12:"},     /* no CT */
        {SECTIONS "Count = x\r\n", "text:7:"},                /* no number */
        {"[Keylen = 264]\r\n", "text:1:"},                    /* more than there is room for */
        {"[Keylen = 12]\r\n", "text:1:"},                     /* no whole bytes */
        {"[Keylen = -128]\r\n", "text:1:"},
        {"[Keylen = 128\r\n", "text:1:"},
        {"[Len = 8]\r\n", "text:1:"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(read_text(bad[i].text) == VECTORS_MALFORMED, "case %zu", i);
        CHECK(!strncmp(cavp.wrong, bad[i].place, strlen(bad[i].place)), "case %zu: %s", i, cavp.wrong);
    }
}
