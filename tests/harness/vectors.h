/* Published test vectors of AES-GCM: what one is, and whether the library does in every way what it says. */
#ifndef VG_TESTS_VECTORS_H
#define VG_TESTS_VECTORS_H

#include "setups.h"

enum { VECTOR_MAX = 1024 };

enum vector_verdict {
    VECTOR_GOOD,   /* seals to this, and opens */
    VECTOR_FORGED, /* must not open, and nothing seals to this */
    VECTOR_EITHER, /* may be refused; if not, it is as good ones are */
};

/* nonce_len 0 stands in some files; every call must refuse it. A forged vector may lack its text. */
struct vector {
    size_t number; /* as its file counts */
    size_t line;   /* where it begins in its file, or 0 */
    enum vector_verdict verdict;
    int has_text;
    size_t key_len, nonce_len, aad_len, len, tag_len;
    uint8_t key[32], tag[16];
    uint8_t nonce[VECTOR_MAX], aad[VECTOR_MAX], text[VECTOR_MAX], cipher[VECTOR_MAX];
};

/* Parts of a vector that this build cannot try. */
enum vectors_left { LEFT_NOTHING, LEFT_KEY_LEN, LEFT_NONCE_LEN, LEFT_OPEN, LEFT_TAG_LEN, LEFT_COUNT };

/* What became of the vectors of one file. */
struct vectors_tally {
    const char *file;
    size_t seen, forged, wrong;
    size_t left[LEFT_COUNT];        /* not tried */
    size_t sealed_only[LEFT_COUNT]; /* not opened */
};

enum vectors_got { VECTORS_END, VECTORS_ONE, VECTORS_MALFORMED };

/* hex[digits] as exactly len bytes; returns 0 if it is anything else. */
int vectors_hex(uint8_t *bytes, size_t len, const char *hex, size_t digits);

enum vectors_left vectors_left(const struct vector *v);

/* What is wrong with the library for v in this setup, or NULL: seal, seal_to, open and open_to, and of the other ways
 * to seal and to open one each, which index chooses. One that opens is refused with a bit of its tag turned over, which
 * index chooses too. The text is good until the next call. */
const char *vectors_try(const struct setup *setup, const struct vector *v, size_t index);

/* Try v in setups[n] and count it; the first things that are wrong are printed. */
void vectors_count(struct vectors_tally *tally, const struct setup *setups, size_t n, const struct vector *v);
/* One line that begins with "SKIPPED:" for every kind of vectors that this build cannot try, or not wholly. */
void vectors_say_left(const struct vectors_tally *tally);

#endif
