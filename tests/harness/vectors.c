#include "vectors.h"
#include <stdio.h>

enum { SHOWN_MAX = 5 };

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int vectors_hex(uint8_t *bytes, size_t len, const char *hex, size_t digits)
{
    if (digits != 2 * len)
        return 0;
    for (size_t i = 0; i < len; i++) {
        int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return 0;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return 1;
}

static int has_key_len(size_t key_len)
{
    for (size_t i = 0; i < key_sizes_count; i++)
        if (key_sizes[i] == key_len)
            return 1;
    return 0;
}

enum vectors_left vectors_left(const struct vector *v)
{
    if (!has_key_len(v->key_len))
        return LEFT_KEY_LEN;
    if (!VG_ANY_NONCE && v->nonce_len != 12 && v->nonce_len)
        return LEFT_NONCE_LEN;
    if (!VG_OPEN)
        return LEFT_OPEN;
    return !VG_TRUNCATED_TAGS && v->tag_len != 16 ? LEFT_TAG_LEN : LEFT_NOTHING;
}

static void show(const struct vectors_tally *tally, const struct setup *setup, const struct vector *v, const char *what)
{
    fprintf(stderr, "%s", tally->file);
    if (v->line)
        fprintf(stderr, ":%zu", v->line);
    fprintf(stderr, ": count %zu, key ", v->number);
    for (size_t i = 0; i < v->key_len; i++)
        fprintf(stderr, "%02x", v->key[i]);
    fprintf(stderr, ", nonce %zu, aad %zu, text %zu, tag %zu bytes, %s: %s\n", v->nonce_len, v->aad_len, v->len,
            v->tag_len, setup->label, what);
}

void vectors_count(struct vectors_tally *tally, const struct setup *setups, size_t n, const struct vector *v)
{
    int wrong = 0;
    for (size_t s = 0; s < n; s++) {
        const char *what = vectors_try(&setups[s], v, tally->seen);
        if (what && tally->wrong < SHOWN_MAX)
            show(tally, &setups[s], v, what);
        wrong |= what != NULL;
    }
    tally->seen++;
    tally->forged += v->verdict == VECTOR_FORGED;
    tally->wrong += (size_t)wrong;
    enum vectors_left left = vectors_left(v);
    if (v->has_text && (left == LEFT_OPEN || left == LEFT_TAG_LEN))
        tally->sealed_only[left]++;
    else
        tally->left[left]++;
}

void vectors_say_left(const struct vectors_tally *tally)
{
    static const char *const why[LEFT_COUNT] = {
        [LEFT_KEY_LEN] = "this build has no keys of their size, and was seen to refuse them",
        [LEFT_NONCE_LEN] = "this build takes nonces of 12 bytes only, and was seen to refuse theirs",
        [LEFT_OPEN] = "this build cannot open",
        [LEFT_TAG_LEN] = "this build opens with tags of 16 bytes only, and was seen to refuse theirs",
    };
    for (size_t i = LEFT_NOTHING + 1; i < LEFT_COUNT; i++)
        if (tally->left[i] || tally->sealed_only[i])
            fprintf(stderr, "SKIPPED: %s: of %zu vectors %zu left out, %zu sealed but not opened: %s\n", tally->file,
                    tally->seen, tally->left[i], tally->sealed_only[i], why[i]);
}
