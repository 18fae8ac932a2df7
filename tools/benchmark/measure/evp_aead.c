/* Libraries with EVP_AEAD. Declared here, since a peer brings no headers. */
#include "peers.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS      evp_aead_loops
#define HAS_OPEN   1
#define HAS_PIECES 1
#define HAS_CHAIN  0
#define HAS_STREAM 0
#define HAS_BURST  0

enum { EXTRA_MAX = 16 };

struct library {
    void *(*ctx_new)(const void *aead, const uint8_t *key, size_t key_len, size_t tag_len);
    void (*ctx_free)(void *ctx);
    int (*seal)(const void *ctx, uint8_t *out, uint8_t *out_tag, size_t *out_tag_len, size_t max_out_tag_len,
                const uint8_t *nonce, size_t nonce_len, const uint8_t *in, size_t in_len, const uint8_t *extra_in,
                size_t extra_in_len, const uint8_t *ad, size_t ad_len);
    int (*open)(const void *ctx, uint8_t *out, const uint8_t *nonce, size_t nonce_len, const uint8_t *in, size_t in_len,
                const uint8_t *in_tag, size_t in_tag_len, const uint8_t *ad, size_t ad_len);
    const void *aead[3];
};

struct context {
    void *ctx;
};

static inline int set_key(const struct candidate *c, struct context *k, const uint8_t *key, size_t key_len,
                          int for_open)
{
    (void)for_open;
    const struct library *aead = c->library;
    if (k->ctx)
        aead->ctx_free(k->ctx);
    const void *cipher = aead->aead[key_len / 8 - 2];
    k->ctx = cipher ? aead->ctx_new(cipher, key, key_len, 16) : NULL;
    return !k->ctx;
}

static inline void clear_key(const struct candidate *c, struct context *k)
{
    const struct library *aead = c->library;
    if (k->ctx)
        aead->ctx_free(k->ctx);
    k->ctx = NULL;
}

static inline int seal(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t *tag)
{
    const struct library *aead = c->library;
    size_t tag_len;
    return aead->seal(k->ctx, dst, tag, &tag_len, 16, nonce, 12, src, len, NULL, 0, aad, aad_len) != 1;
}

static inline int open(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag)
{
    const struct library *aead = c->library;
    return aead->open(k->ctx, dst, nonce, 12, src, len, tag, 16, aad, aad_len) != 1;
}

/* A short second piece goes the library's own way, which writes its ciphertext in front of the tag. Others are copied.
 */
static inline int pieces(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                         size_t aad_len, const struct vg_slice *slices, size_t n, uint8_t *dst, size_t len,
                         uint8_t *tag)
{
    const struct library *aead = c->library;
    if (n == 2 && slices[1].len <= EXTRA_MAX) {
        uint8_t extra[EXTRA_MAX + 16];
        size_t extra_len;
        int good = aead->seal(k->ctx, dst, extra, &extra_len, sizeof extra, nonce, 12, slices[0].data, slices[0].len,
                              slices[1].data, slices[1].len, aad, aad_len);
        memcpy(dst + slices[0].len, extra, slices[1].len);
        memcpy(tag, extra + slices[1].len, 16);
        return good != 1;
    }
    copy_together(slices, n, dst);
    return seal(c, k, nonce, aad, aad_len, dst, dst, len, tag);
}

#include "loops.h"

int evp_aead_add(struct candidates *all, const char *name, void *so)
{
    struct library *aead = allocate(sizeof *aead);
    *(void **)&aead->ctx_new = dlsym(so, "EVP_AEAD_CTX_new");
    *(void **)&aead->ctx_free = dlsym(so, "EVP_AEAD_CTX_free");
    *(void **)&aead->seal = dlsym(so, "EVP_AEAD_CTX_seal_scatter");
    *(void **)&aead->open = dlsym(so, "EVP_AEAD_CTX_open_gather");
    static const char *const names[3] = {"EVP_aead_aes_128_gcm", "EVP_aead_aes_192_gcm", "EVP_aead_aes_256_gcm"};
    for (int i = 0; i < 3; i++) {
        const void *(*cipher)(void);
        *(void **)&cipher = dlsym(so, names[i]);
        aead->aead[i] = cipher ? cipher() : NULL;
    }
    if (!aead->ctx_new || !aead->ctx_free || !aead->seal || !aead->open || !aead->aead[0]) {
        free(aead);
        return 1;
    }
    struct candidate *c = candidate_new(all, name, &evp_aead_loops);
    c->library = aead;
    c->is_peer = 1;
    return 0;
}
