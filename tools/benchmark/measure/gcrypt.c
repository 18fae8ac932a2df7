/* Debian's libgcrypt. Declared here: its interface has been the same since AES-GCM came to it. */
#include "measure.h"
#include <dlfcn.h>
#include <stdio.h>

#define LOOPS      gcrypt_loops
#define HAS_OPEN   1
#define HAS_PIECES 1
#define HAS_CHAIN  0
#define HAS_STREAM 1
#define HAS_BURST  0

enum { CIPHER_AES128 = 7, MODE_GCM = 9, FINALIZE = 5 }; /* GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_GCM, GCRYCTL_FINALIZE */

struct library {
    unsigned (*open)(void **handle, int cipher, int mode, unsigned flags);
    void (*close)(void *handle);
    unsigned (*set_key)(void *handle, const void *key, size_t len);
    unsigned (*set_nonce)(void *handle, const void *nonce, size_t len);
    unsigned (*authenticate)(void *handle, const void *aad, size_t len);
    unsigned (*encrypt)(void *handle, void *out, size_t out_len, const void *in, size_t len);
    unsigned (*decrypt)(void *handle, void *out, size_t out_len, const void *in, size_t len);
    unsigned (*get_tag)(void *handle, void *tag, size_t len);
    unsigned (*check_tag)(void *handle, const void *tag, size_t len);
    unsigned (*control)(void *handle, int command, void *buffer, size_t len);
};

struct context {
    void *handle;
};

static inline int set_key(const struct candidate *c, struct context *k, const uint8_t *key, size_t key_len,
                          int for_open)
{
    (void)for_open;
    const struct library *g = c->library;
    if (!k->handle && g->open(&k->handle, CIPHER_AES128 + (int)key_len / 8 - 2, MODE_GCM, 0))
        return 1;
    return g->set_key(k->handle, key, key_len) != 0;
}

static inline void clear_key(const struct candidate *c, struct context *k)
{
    const struct library *g = c->library;
    g->close(k->handle);
    k->handle = NULL;
}

static inline unsigned begin(const struct library *g, void *handle, const uint8_t *nonce, const uint8_t *aad,
                             size_t aad_len)
{
    unsigned bad = g->set_nonce(handle, nonce, 12);
    return aad_len ? bad | g->authenticate(handle, aad, aad_len) : bad;
}

/* The last piece must be announced: all others are whole blocks to this library. */
static inline unsigned last(const struct library *g, void *handle) { return g->control(handle, FINALIZE, NULL, 0); }

static inline int seal(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t *tag)
{
    const struct library *g = c->library;
    int in_place = src == dst;
    unsigned bad = begin(g, k->handle, nonce, aad, aad_len) | last(g, k->handle);
    if (len)
        bad |= g->encrypt(k->handle, dst, len, in_place ? NULL : src, in_place ? 0 : len);
    return (bad | g->get_tag(k->handle, tag, 16)) != 0;
}

static inline int open(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag)
{
    const struct library *g = c->library;
    int in_place = src == dst;
    unsigned bad = begin(g, k->handle, nonce, aad, aad_len) | last(g, k->handle);
    if (len)
        bad |= g->decrypt(k->handle, dst, len, in_place ? NULL : src, in_place ? 0 : len);
    return (bad | g->check_tag(k->handle, tag, 16)) != 0;
}

static inline int pieces(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                         size_t aad_len, const struct vg_slice *slices, size_t n, uint8_t *dst, size_t len,
                         uint8_t *tag)
{
    if (len <= COPY_UP_TO) {
        copy_together(slices, n, dst);
        return seal(c, k, nonce, aad, aad_len, dst, dst, len, tag);
    }
    const struct library *g = c->library;
    unsigned bad = begin(g, k->handle, nonce, aad, aad_len);
    for (size_t i = 0; i < n; dst += slices[i++].len) {
        if (i == n - 1)
            bad |= last(g, k->handle);
        if (slices[i].len)
            bad |= g->encrypt(k->handle, dst, slices[i].len, slices[i].data, slices[i].len);
    }
    return (bad | g->get_tag(k->handle, tag, 16)) != 0;
}

static inline int stream(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                         size_t aad_len, uint8_t *text, size_t len, size_t piece, uint8_t *tag)
{
    const struct library *g = c->library;
    unsigned bad = begin(g, k->handle, nonce, aad, aad_len);
    for (size_t at = 0; at < len; at += piece) {
        if (len - at <= piece)
            bad |= last(g, k->handle);
        bad |= g->encrypt(k->handle, text + at, len - at < piece ? len - at : piece, NULL, 0);
    }
    return (bad | g->get_tag(k->handle, tag, 16)) != 0;
}

#include "loops.h"

void gcrypt_add(struct candidates *all)
{
    static struct library g;
    void *so = dlopen("libgcrypt.so.20", RTLD_NOW | RTLD_LOCAL);
    if (!so) {
        report_text("missing", "libgcrypt", "no libgcrypt.so.20: install libgcrypt20");
        return;
    }
    const char *(*check_version)(const char *);
    *(void **)&check_version = dlsym(so, "gcry_check_version");
    static const struct {
        const char *name;
        void **at;
    } calls[] = {
        {"gcry_cipher_open", (void **)&g.open},       {"gcry_cipher_close", (void **)&g.close},
        {"gcry_cipher_setkey", (void **)&g.set_key},  {"gcry_cipher_setiv", (void **)&g.set_nonce},
        {"gcry_cipher_encrypt", (void **)&g.encrypt}, {"gcry_cipher_authenticate", (void **)&g.authenticate},
        {"gcry_cipher_decrypt", (void **)&g.decrypt}, {"gcry_cipher_gettag", (void **)&g.get_tag},
        {"gcry_cipher_ctl", (void **)&g.control},     {"gcry_cipher_checktag", (void **)&g.check_tag},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!(*calls[i].at = dlsym(so, calls[i].name)))
            return;
    struct candidate *c = candidate_new(all, "libgcrypt", &gcrypt_loops);
    c->library = &g;
    c->is_peer = 1;
    snprintf(c->version, sizeof c->version, "libgcrypt %s", check_version ? check_version(NULL) : "");
}
