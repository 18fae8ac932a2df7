#include "vectors_wycheproof.h"
#include <string.h>

int wycheproof_begin(struct wycheproof *w, FILE *file, const char *name)
{
    json_error_t error;
    const char *algorithm = NULL;
    json_int_t declared = 0;
    json_t *groups = NULL;
    memset(w, 0, sizeof *w);
    w->name = name;
    w->root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    if (!w->root) {
        snprintf(w->wrong, sizeof w->wrong, "%s:%d: %s", name, error.line, error.text);
        return 0;
    }
    if (json_unpack_ex(w->root, &error, 0, "{s:s, s:I, s:o}", "algorithm", &algorithm, "numberOfTests", &declared,
                       "testGroups", &groups)) {
        snprintf(w->wrong, sizeof w->wrong, "%s: %s", name, error.text);
        return 0;
    }
    if (strcmp(algorithm, "AES-GCM") || declared < 1 || !json_is_array(groups)) {
        snprintf(w->wrong, sizeof w->wrong, "%s: no vectors of AES-GCM", name);
        return 0;
    }
    w->declared = (size_t)declared;
    return 1;
}

void wycheproof_end(struct wycheproof *w) { json_decref(w->root); }

static enum vectors_got malformed(struct wycheproof *w, const char *what)
{
    snprintf(w->wrong, sizeof w->wrong, "%s: testGroups[%zu].tests[%zu]: %s", w->name, w->group, w->test, what);
    return VECTORS_MALFORMED;
}

/* A field of hex digits with a length of its own. */
static int take_bytes(uint8_t *bytes, size_t max, size_t *len, const char *hex)
{
    size_t digits = strlen(hex);
    *len = digits / 2;
    return *len <= max && vectors_hex(bytes, *len, hex, digits);
}

static int take_verdict(enum vector_verdict *verdict, const char *result)
{
    static const char *const results[] = {
        [VECTOR_GOOD] = "valid", [VECTOR_FORGED] = "invalid", [VECTOR_EITHER] = "acceptable"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (!strcmp(result, results[i])) {
            *verdict = (enum vector_verdict)i;
            return 1;
        }
    return 0;
}

static enum vectors_got take(struct wycheproof *w, struct vector *v, json_t *group, json_t *test)
{
    json_error_t error;
    json_int_t key_bits, nonce_bits, tag_bits, number;
    const char *key, *nonce, *aad, *text, *cipher, *tag, *result;
    size_t cipher_len;
    if (json_unpack_ex(group, &error, 0, "{s:I, s:I, s:I}", "keySize", &key_bits, "ivSize", &nonce_bits, "tagSize",
                       &tag_bits) ||
        json_unpack_ex(test, &error, 0, "{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "tcId", &number, "key", &key, "iv",
                       &nonce, "aad", &aad, "msg", &text, "ct", &cipher, "tag", &tag, "result", &result))
        return malformed(w, error.text);
    if (!take_bytes(v->key, sizeof v->key, &v->key_len, key) ||
        !take_bytes(v->nonce, VECTOR_MAX, &v->nonce_len, nonce) || !take_bytes(v->aad, VECTOR_MAX, &v->aad_len, aad) ||
        !take_bytes(v->text, VECTOR_MAX, &v->len, text) || !take_bytes(v->cipher, VECTOR_MAX, &cipher_len, cipher) ||
        !take_bytes(v->tag, sizeof v->tag, &v->tag_len, tag))
        return malformed(w, "a field that is not hex digits in pairs, or too long");
    if ((json_int_t)v->key_len * 8 != key_bits || (json_int_t)v->nonce_len * 8 != nonce_bits ||
        (json_int_t)v->tag_len * 8 != tag_bits || cipher_len != v->len)
        return malformed(w, "a field of another length than its group, or its text, says");
    if (number < 0 || !take_verdict(&v->verdict, result))
        return malformed(w, "a result or tcId that means nothing");
    v->number = (size_t)number;
    v->line = 0;
    v->has_text = 1;
    return VECTORS_ONE;
}

enum vectors_got wycheproof_next(struct wycheproof *w, struct vector *v)
{
    const json_t *groups = json_object_get(w->root, "testGroups");
    for (; w->group < json_array_size(groups); w->group++, w->test = 0) {
        json_t *group = json_array_get(groups, w->group), *tests = json_object_get(group, "tests");
        if (!json_is_array(tests))
            return malformed(w, "no tests here");
        if (w->test < json_array_size(tests)) {
            enum vectors_got got = take(w, v, group, json_array_get(tests, w->test));
            w->test++;
            return got;
        }
    }
    return VECTORS_END;
}
