/* Every candidate against the reference, before the clock runs. */
#include "measure.h"
#include <stdlib.h>
#include <string.h>

enum { ROOM = 16384 + 64 };

struct text {
    uint8_t nonce[16], aad[64], plain[ROOM], cipher[ROOM], tag[16];
};

struct pair {
    const struct candidate *c;
    void *sealer, *opener, *reference_key;
};

static const char *check_open(const struct pair *p, struct text *t, size_t aad_len, size_t len, uint8_t *buffer)
{
    const struct loops *calls = p->c->loops;
    memcpy(buffer, t->cipher, len);
    if (calls->open(p->c, p->opener, t->nonce, t->aad, aad_len, buffer, buffer, len, t->tag))
        return "open in place refuses a good message";
    if (memcmp(buffer, t->plain, len))
        return "open in place gives another plaintext";
    memset(buffer, 0, len);
    if (calls->open(p->c, p->opener, t->nonce, t->aad, aad_len, t->cipher, buffer, len, t->tag))
        return "open out of place refuses a good message";
    if (memcmp(buffer, t->plain, len))
        return "open out of place gives another plaintext";
    for (size_t i = 0; i < 16; i += 5) {
        t->tag[i] ^= 0x40;
        int refused = calls->open(p->c, p->opener, t->nonce, t->aad, aad_len, t->cipher, buffer, len, t->tag);
        t->tag[i] ^= 0x40;
        if (!refused)
            return "open accepts a forged tag";
    }
    return NULL;
}

static int differs(const struct text *t, const uint8_t *buffer, size_t len, const uint8_t *tag)
{
    return memcmp(buffer, t->cipher, len) || memcmp(tag, t->tag, 16);
}

static const char *check_pieces(const struct pair *p, struct text *t, size_t aad_len, size_t len, uint8_t *buffer)
{
    const struct loops *calls = p->c->loops;
    uint8_t tag[16];
    const size_t first[] = {len ? len - 1 : 0, len / 2, len / 5, len / 3};
    for (size_t i = 0; calls->pieces && i < sizeof first / sizeof *first; i++) {
        struct vg_slice slices[2] = {{t->plain, first[i]}, {t->plain + first[i], len - first[i]}};
        memset(buffer, 0, len);
        memset(tag, 0, sizeof tag);
        if (calls->pieces(p->c, p->sealer, t->nonce, t->aad, aad_len, slices, 2, buffer, len, tag) ||
            differs(t, buffer, len, tag))
            return "two pieces give another ciphertext or tag";
    }
    for (size_t i = 0; calls->chain && i < sizeof first / sizeof *first; i++) {
        struct vg_segment segments[2] = {{t->plain, buffer, first[i]},
                                         {t->plain + first[i], buffer + first[i], len - first[i]}};
        memset(buffer, 0, len);
        memset(tag, 0, sizeof tag);
        if (calls->chain(p->c, p->sealer, t->nonce, t->aad, aad_len, segments, 2, tag) || differs(t, buffer, len, tag))
            return "a chain gives another ciphertext or tag";
    }
    for (size_t piece = 7; calls->stream && piece < 100; piece += 57) {
        memcpy(buffer, t->plain, len);
        memset(tag, 0, sizeof tag);
        if (calls->stream(p->c, p->sealer, t->nonce, t->aad, aad_len, buffer, len, piece, tag) ||
            differs(t, buffer, len, tag))
            return "a stream gives another ciphertext or tag";
    }
    return NULL;
}

static const char *check_seal(const struct pair *p, struct text *t, size_t aad_len, size_t len, uint8_t *buffer)
{
    const struct loops *calls = p->c->loops;
    uint8_t tag[16] = {0};
    memcpy(buffer, t->plain, len);
    if (calls->seal(p->c, p->sealer, t->nonce, t->aad, aad_len, buffer, buffer, len, tag) ||
        differs(t, buffer, len, tag))
        return "seal in place gives another ciphertext or tag";
    memset(buffer, 0, len);
    memset(tag, 0, sizeof tag);
    if (calls->seal(p->c, p->sealer, t->nonce, t->aad, aad_len, t->plain, buffer, len, tag) ||
        differs(t, buffer, len, tag))
        return "seal out of place gives another ciphertext or tag";
    memset(buffer, 0, len);
    memset(tag, 0, sizeof tag);
    struct vg_packet packet = {p->sealer, t->nonce, t->aad, aad_len, t->plain, buffer, len, tag, VG_OK};
    if (calls->burst(p->c, &packet, 1) || differs(t, buffer, len, tag))
        return "a burst gives another ciphertext or tag";
    return NULL;
}

static const char *check_all(const struct pair *p, const struct candidate *reference, struct text *t, uint8_t *buffer)
{
    static const size_t lens[] = {0,   1,   15,  16,  17,  31,  48,  63,  64,  65,   100,  127,  128,
                                  200, 255, 256, 257, 300, 512, 767, 768, 769, 1024, 1420, 4099, 16384};
    static const size_t aad_lens[] = {13, 0, 16, 20, 64};
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        for (size_t j = 0; j < sizeof aad_lens / sizeof *aad_lens; j++) {
            size_t len = lens[i], aad_len = aad_lens[j];
            fill_junk(t, sizeof *t, i * 16 + j);
            if (reference->loops->seal(reference, p->reference_key, t->nonce, t->aad, aad_len, t->plain, t->cipher, len,
                                       t->tag))
                return "the reference fails";
            const char *wrong = check_seal(p, t, aad_len, len, buffer);
            if (!wrong && p->c->loops->open)
                wrong = check_open(p, t, aad_len, len, buffer);
            if (!wrong)
                wrong = check_pieces(p, t, aad_len, len, buffer);
            if (wrong)
                return wrong;
        }
    }
    return NULL;
}

const char *verify(const struct candidate *c, const struct candidate *reference, size_t key_len)
{
    uint8_t key[33];
    struct text *t = allocate(sizeof *t);
    uint8_t *buffer = allocate(ROOM);
    struct pair p = {c, allocate(c->loops->context_len), allocate(c->loops->context_len),
                     allocate(reference->loops->context_len)};
    const char *wrong = "key set-up fails";
    fill_junk(key, sizeof key, key_len);
    /* The second set-up must leave nothing of the first. */
    if (!c->loops->set_key(c, p.sealer, key + 1, key_len, 0) && !c->loops->set_key(c, p.sealer, key, key_len, 0) &&
        !c->loops->set_key(c, p.opener, key, key_len, 1) &&
        !reference->loops->set_key(reference, p.reference_key, key, key_len, 0))
        wrong = check_all(&p, reference, t, buffer);
    c->loops->clear_key(c, p.sealer);
    c->loops->clear_key(c, p.opener);
    reference->loops->clear_key(reference, p.reference_key);
    free(p.sealer);
    free(p.opener);
    free(p.reference_key);
    free(t);
    free(buffer);
    return wrong;
}
