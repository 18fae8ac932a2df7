/* Does the library do what Wycheproof's vectors for AES-GCM say? They are read from the file that VG_WYCHEPROOF names,
 * or from a directory beside the sources. */
#include "harness/check.h"
#include "harness/vectors_wycheproof.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BESIDE "../shared/vectors/wycheproof_aes_gcm_test.json"

static struct wycheproof w;
static struct vector v;
static struct setup setups[SETUPS_MAX];

/* Write the directory of the sources: the build names it, or else it is where this file was compiled. */
static void source_root(char *path, size_t size)
{
#ifdef VG_SOURCE_ROOT
    snprintf(path, size, "%s", VG_SOURCE_ROOT);
#else
    const char *file = strstr(__FILE__, "tests/test_vectors_wycheproof.c");
    snprintf(path, size, "%.*s.", file ? (int)(file - __FILE__) : 0, __FILE__);
#endif
}

/* NULL if VG_WYCHEPROOF names none and none lies beside the sources. */
static FILE *open_file(char *path, size_t size)
{
    char root[4000];
    const char *named = getenv("VG_WYCHEPROOF");
    if (named && *named) {
        snprintf(path, size, "%s", named);
    } else {
        source_root(root, sizeof root);
        snprintf(path, size, "%s/" BESIDE, root);
    }
    FILE *file = fopen(path, "r");
    if (!file && named && *named)
        cr_assert_fail("VG_WYCHEPROOF: %s: %s", path, strerror(errno));
    return file;
}

Test(vectors_wycheproof, all)
{
    char path[4096];
    FILE *file = open_file(path, sizeof path);
    if (!file)
        cr_skip_test("Wycheproof's vectors are not here: name its file aes_gcm_test.json in VG_WYCHEPROOF");
    struct vectors_tally tally = {.file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path};
    enum vectors_got got;
    size_t n = setups_find(setups);
    CHECK(n, "no variant can run");
    CHECK(wycheproof_begin(&w, file, tally.file), "%s", w.wrong);
    fclose(file);
    while ((got = wycheproof_next(&w, &v)) == VECTORS_ONE)
        vectors_count(&tally, setups, n, &v);
    vectors_say_left(&tally);
    CHECK(got == VECTORS_END, "%s", w.wrong);
    CHECK(tally.seen == w.declared, "%s: %zu vectors where %zu should be", tally.file, tally.seen, w.declared);
    CHECK(!tally.wrong, "%s: %zu of %zu vectors are wrong; the first are above", tally.file, tally.wrong, tally.seen);
    wycheproof_end(&w);
}

#define TEST                                                                                                           \
    "{'tcId':9,'key':'000102030405060708090a0b0c0d0e0f','iv':'2a','aad':'','msg':'cafe','ct':'beef','tag':'01020304'," \
    "'result':'"
#define GROUP "{'keySize':128,'ivSize':8,'tagSize':32,'tests':["
#define FILE_ "{'algorithm':'AES-GCM','numberOfTests':1,'testGroups':["

/* text with ' for ": what the first vector is. */
static enum vectors_got read_text(const char *text)
{
    char json[1000];
    size_t len = strlen(text);
    CHECK(len < sizeof json, "%s", text);
    for (size_t i = 0; i < len; i++)
        json[i] = text[i] == '\'' ? '"' : text[i];
    FILE *file = fmemopen(json, len, "r");
    CHECK(file, "%s", text);
    enum vectors_got got = wycheproof_begin(&w, file, "text") ? wycheproof_next(&w, &v) : VECTORS_MALFORMED;
    fclose(file);
    wycheproof_end(&w);
    return got;
}

Test(vectors_wycheproof, a_vector_is_read_as_it_is_written)
{
    CHECK(read_text(FILE_ GROUP TEST "valid'}]}]}") == VECTORS_ONE, "%s", w.wrong);
    CHECK(v.number == 9 && v.key_len == 16 && v.nonce_len == 1 && v.aad_len == 0 && v.len == 2 && v.tag_len == 4,
          "lengths");
    CHECK(v.key[15] == 15 && v.nonce[0] == 0x2a && v.tag[3] == 4, "key, nonce, tag");
    CHECK(!memcmp(v.text, "\xca\xfe", 2) && !memcmp(v.cipher, "\xbe\xef", 2), "texts");
    CHECK(v.verdict == VECTOR_GOOD && v.has_text, "verdict");
    CHECK(read_text(FILE_ GROUP TEST "invalid'}]}]}") == VECTORS_ONE && v.verdict == VECTOR_FORGED, "%s", w.wrong);
    CHECK(read_text(FILE_ GROUP TEST "acceptable'}]}]}") == VECTORS_ONE && v.verdict == VECTOR_EITHER, "%s", w.wrong);
    CHECK(read_text(FILE_ "]}") == VECTORS_END, "%s", w.wrong);
}

Test(vectors_wycheproof, what_is_malformed_is_not_passed_over)
{
    static const char *const bad[] = {
        "",
        "{",
        "[]",
        "{'algorithm':'AES-EAX','numberOfTests':1,'testGroups':[]}",
        "{'algorithm':'AES-GCM','numberOfTests':0,'testGroups':[]}",
        "{'algorithm':'AES-GCM','numberOfTests':1,'testGroups':{}}",
        "{'algorithm':'AES-GCM','testGroups':[]}",
        FILE_ "{}]}",
        FILE_ GROUP TEST "good'}]}]}",
        FILE_ GROUP TEST "valid'}]}]} x",
        FILE_ GROUP "{'tcId':9}]}]}",
        FILE_ "{'ivSize':8,'tagSize':32,'tests':[" TEST "valid'}]}]}",
        FILE_ "{'keySize':256,'ivSize':8,'tagSize':32,'tests':[" TEST "valid'}]}]}",
        FILE_ "{'keySize':128,'ivSize':96,'tagSize':32,'tests':[" TEST "valid'}]}]}",
        FILE_ "{'keySize':128,'ivSize':8,'tagSize':128,'tests':[" TEST "valid'}]}]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(read_text(bad[i]) == VECTORS_MALFORMED && !strncmp(w.wrong, "text:", 5), "case %zu: %s", i, w.wrong);
}
