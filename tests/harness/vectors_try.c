#include "vectors.h"
#include <stdio.h>
#include <string.h>
#include <vg/vg.h>

enum { JUNK = 0xa5 };

/* Seal v's text or open its ciphertext, so that the result stands at out. Where a call works in place its input is at
 * out already. Ways that take a message in two parts cut it at `cut`. Sealing writes tag, opening reads it. */
typedef enum vg_status way_fn(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                              uint8_t tag[16]);

enum place { IN_PLACE, ELSEWHERE, BOTH }; /* BOTH: the part before the cut elsewhere, the rest in place */

struct way {
    const char *name;
    way_fn *run;
    enum place place;
    int early; /* 1: hands out text before it knows the verdict */
};

#define HEAD gcm, v->nonce, v->nonce_len, v->aad, v->aad_len

static enum vg_status seal(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                           uint8_t tag[16])
{
    (void)cut;
    return vg_aes_gcm_seal(HEAD, out, v->len, tag);
}

static enum vg_status seal_to(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                              uint8_t tag[16])
{
    (void)cut;
    return vg_aes_gcm_seal_to(HEAD, v->text, out, v->len, tag);
}

#if VG_OPEN
static enum vg_status open_in_place(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                                    uint8_t tag[16])
{
    (void)cut;
    return vg_aes_gcm_open(HEAD, out, v->len, tag, v->tag_len);
}

static enum vg_status open_to(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                              uint8_t tag[16])
{
    (void)cut;
    return vg_aes_gcm_open_to(HEAD, v->cipher, out, v->len, tag, v->tag_len);
}
#endif

#if VG_GATHER
static enum vg_status seal_gather(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                                  uint8_t tag[16])
{
    struct vg_slice slices[] = {{v->text, cut}, {v->text + cut, v->len - cut}};
    return vg_aes_gcm_seal_gather(HEAD, slices, 2, out, v->len, tag);
}
#endif

#if VG_SPLIT
static enum vg_status seal_split(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                                 uint8_t tag[16])
{
    return vg_aes_gcm_seal_split(HEAD, v->text, cut, out, v->len, tag);
}
#endif

#if VG_CHAIN
static enum vg_status seal_chain(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                                 uint8_t tag[16])
{
    struct vg_segment segments[] = {{v->text, out, cut}, {NULL, NULL, 0}, {out + cut, out + cut, v->len - cut}};
    return vg_aes_gcm_seal_chain(HEAD, segments, 3, tag);
}

#if VG_OPEN
static enum vg_status open_chain(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                                 uint8_t tag[16])
{
    struct vg_segment segments[] = {{v->cipher, out, cut}, {NULL, NULL, 0}, {out + cut, out + cut, v->len - cut}};
    return vg_aes_gcm_open_chain(HEAD, segments, 3, tag, v->tag_len);
}
#endif
#endif

#if VG_STREAM
static enum vg_status stream_begin(struct vg_aes_gcm_stream *stream, const struct vg_aes_gcm *gcm,
                                   const struct vector *v)
{
    size_t aad_cut = v->aad_len / 3;
    enum vg_status status = vg_aes_gcm_stream_init(stream, gcm, v->nonce, v->nonce_len);
    if (!status)
        status = vg_aes_gcm_stream_aad(stream, v->aad, aad_cut);
    return status ? status : vg_aes_gcm_stream_aad(stream, v->aad + aad_cut, v->aad_len - aad_cut);
}

static enum vg_status seal_stream(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                                  uint8_t tag[16])
{
    struct vg_aes_gcm_stream stream;
    enum vg_status status = stream_begin(&stream, gcm, v);
    if (!status)
        status = vg_aes_gcm_stream_encrypt_to(&stream, v->text, out, cut);
    if (!status)
        status = vg_aes_gcm_stream_encrypt(&stream, out + cut, v->len - cut);
    return status ? status : vg_aes_gcm_stream_finish(&stream, tag);
}

#if VG_OPEN
static enum vg_status open_stream(const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut, uint8_t *out,
                                  uint8_t tag[16])
{
    struct vg_aes_gcm_stream stream;
    enum vg_status status = stream_begin(&stream, gcm, v);
    if (!status)
        status = vg_aes_gcm_stream_decrypt_to(&stream, v->cipher, out, cut);
    if (!status)
        status = vg_aes_gcm_stream_decrypt(&stream, out + cut, v->len - cut);
    return status ? status : vg_aes_gcm_stream_verify(&stream, tag, v->tag_len);
}
#endif
#endif

/* Every vector takes the first two ways, and one of the others. */
enum { ALWAYS = 2 };

static const struct way sealing[] = {
    {"seal", seal, IN_PLACE, 0},
    {"seal_to", seal_to, ELSEWHERE, 0},
#if VG_GATHER
    {"seal_gather", seal_gather, ELSEWHERE, 0},
#endif
#if VG_SPLIT
    {"seal_split", seal_split, BOTH, 0},
#endif
#if VG_CHAIN
    {"seal_chain", seal_chain, BOTH, 0},
#endif
#if VG_STREAM
    {"stream_encrypt", seal_stream, BOTH, 0},
#endif
};

#if VG_OPEN
static const struct way opening[] = {
    {"open", open_in_place, IN_PLACE, 0},
    {"open_to", open_to, ELSEWHERE, 0},
#if VG_CHAIN
    {"open_chain", open_chain, BOTH, 0},
#endif
#if VG_STREAM
    {"stream_decrypt", open_stream, BOTH, 1},
#endif
};
#endif

static size_t elsewhere_of(const struct way *way, size_t cut, size_t len)
{
    return way->place == IN_PLACE ? 0 : way->place == ELSEWHERE ? len : cut;
}

/* out begins with `elsewhere` bytes of value fill, and goes on as in. */
static int stands(const uint8_t *out, size_t elsewhere, uint8_t fill, const uint8_t *in, size_t len)
{
    for (size_t i = 0; i < elsewhere; i++)
        if (out[i] != fill)
            return 0;
    return !memcmp(out + elsewhere, in + elsewhere, len - elsewhere);
}

static enum vg_status nonce_status(const struct vector *v)
{
    return v->nonce_len == 12 || (VG_ANY_NONCE && v->nonce_len) ? VG_OK : VG_ERR_NONCE_LEN;
}

static const char *try_seal(const struct way *way, const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut)
{
    uint8_t out[VECTOR_MAX], tag[16], junk[16];
    size_t elsewhere = elsewhere_of(way, cut, v->len);
    memset(out, JUNK, elsewhere);
    memcpy(out + elsewhere, v->text + elsewhere, v->len - elsewhere);
    memset(junk, JUNK, sizeof junk);
    memcpy(tag, junk, sizeof tag);
    enum vg_status status = way->run(gcm, v, cut, out, tag);
    if (status != nonce_status(v) && (v->verdict != VECTOR_EITHER || !status))
        return status ? vg_status_text(status) : "sealed what must be refused";
    if (status)
        return stands(out, elsewhere, JUNK, v->text, v->len) && !memcmp(tag, junk, sizeof tag) ? NULL
                                                                                               : "refused, but wrote";
    int text_differs = memcmp(out, v->cipher, v->len), tag_differs = memcmp(tag, v->tag, v->tag_len);
    if (v->verdict == VECTOR_FORGED)
        return text_differs || tag_differs ? NULL : "sealed to what is not valid";
    return text_differs ? "wrong ciphertext" : tag_differs ? "wrong tag" : NULL;
}

#if VG_OPEN
static int has_tag_len(size_t tag_len)
{
    return tag_len == 16 || (VG_TRUNCATED_TAGS && (tag_len == 4 || tag_len == 8 || (tag_len >= 12 && tag_len < 16)));
}

static enum vg_status open_status(const struct vector *v)
{
    if (nonce_status(v))
        return nonce_status(v);
    if (!has_tag_len(v->tag_len))
        return VG_ERR_TAG_LEN;
    return v->verdict == VECTOR_FORGED ? VG_ERR_AUTH : VG_OK;
}

static const char *try_open(const struct way *way, const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut)
{
    uint8_t out[VECTOR_MAX], tag[16];
    size_t elsewhere = elsewhere_of(way, cut, v->len);
    memset(out, JUNK, elsewhere);
    memcpy(out + elsewhere, v->cipher + elsewhere, v->len - elsewhere);
    memcpy(tag, v->tag, v->tag_len);
    enum vg_status status = way->run(gcm, v, cut, out, tag);
    if (status != open_status(v) && (v->verdict != VECTOR_EITHER || !status))
        return status ? vg_status_text(status) : "opened what must be refused";
    if (!status)
        return memcmp(out, v->text, v->len) ? "wrong text" : NULL;
    if (way->early && status != VG_ERR_NONCE_LEN)
        return NULL;
    return stands(out, elsewhere, status == VG_ERR_AUTH ? 0 : JUNK, v->cipher, v->len) ? NULL
                                                                                       : "refused, but left text";
}
#endif

typedef const char *try_fn(const struct way *way, const struct vg_aes_gcm *gcm, const struct vector *v, size_t cut);

static const char *try_ways(try_fn *try, const struct way *ways, size_t n, const struct vg_aes_gcm *gcm,
                            const struct vector *v, size_t index)
{
    static char what[160];
    size_t chosen = n > ALWAYS ? ALWAYS + index % (n - ALWAYS) : 0, cut = 7 * index % (v->len + 1);
    for (size_t i = 0; i < n; i++) {
        const char *wrong = i < ALWAYS || i == chosen ? try(&ways[i], gcm, v, cut) : NULL;
        if (wrong) {
            snprintf(what, sizeof what, "%s: %s", ways[i].name, wrong);
            return what;
        }
    }
    return NULL;
}

#if VG_OPEN
static const char *try_near_miss(const struct vg_aes_gcm *gcm, const struct vector *v, size_t index)
{
    static char what[240];
    struct vector near_miss = *v;
    size_t bit = index % (8 * v->tag_len);
    near_miss.verdict = VECTOR_FORGED;
    near_miss.tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
    const char *wrong = try_ways(try_open, opening, sizeof opening / sizeof *opening, gcm, &near_miss, index);
    snprintf(what, sizeof what, "with bit %zu of the tag turned over: %s", bit, wrong ? wrong : "");
    return wrong ? what : NULL;
}
#endif

const char *vectors_try(const struct setup *setup, const struct vector *v, size_t index)
{
    struct vg_aes_gcm gcm;
    if (vectors_left(v) == LEFT_KEY_LEN)
        return vg_aes_gcm_init(&gcm, v->key, v->key_len) == VG_ERR_KEY_LEN ? NULL : "init: took a key of unknown size";
    setup_key(setup, &gcm, v->key, v->key_len);
    const char *what = NULL;
    if (v->has_text)
        what = try_ways(try_seal, sealing, sizeof sealing / sizeof *sealing, &gcm, v, index);
#if VG_OPEN
    if (!what)
        what = try_ways(try_open, opening, sizeof opening / sizeof *opening, &gcm, v, index);
    if (!what && v->verdict == VECTOR_GOOD && v->tag_len)
        what = try_near_miss(&gcm, v, index);
#endif
    return what;
}
