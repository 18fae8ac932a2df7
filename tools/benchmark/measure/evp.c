/* libcrypto through EVP: Debian's, and whatever --peer names. Declared here, since a peer brings no headers. */
#include "peers.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS      evp_loops
#define HAS_OPEN   1
#define HAS_PIECES 1
#define HAS_CHAIN  0
#define HAS_STREAM 1
#define HAS_BURST  0

enum { GET_TAG = 0x10, SET_TAG = 0x11 }; /* EVP_CTRL_AEAD_* */

typedef int init_fn(void *ctx, const void *cipher, void *engine, const uint8_t *key, const uint8_t *nonce);
typedef int update_fn(void *ctx, uint8_t *out, int *out_len, const uint8_t *in, int len);
typedef int final_fn(void *ctx, uint8_t *out, int *out_len);

struct library {
    void *(*ctx_new)(void);
    void (*ctx_free)(void *ctx);
    int (*ctrl)(void *ctx, int type, int arg, void *ptr);
    init_fn *encrypt_init, *decrypt_init;
    update_fn *encrypt_update, *decrypt_update;
    final_fn *encrypt_final, *decrypt_final;
    const void *cipher[3];
};

struct context {
    void *ctx;
};

static inline int set_key(const struct candidate *c, struct context *k, const uint8_t *key, size_t key_len,
                          int for_open)
{
    const struct library *evp = c->library;
    const void *cipher = evp->cipher[key_len / 8 - 2];
    if (!k->ctx)
        k->ctx = evp->ctx_new();
    else
        cipher = NULL;
    if (!k->ctx)
        return 1;
    return (for_open ? evp->decrypt_init : evp->encrypt_init)(k->ctx, cipher, NULL, key, NULL) != 1;
}

static inline void clear_key(const struct candidate *c, struct context *k)
{
    const struct library *evp = c->library;
    evp->ctx_free(k->ctx);
    k->ctx = NULL;
}

static inline int begin(const struct library *evp, void *ctx, const uint8_t *nonce, const uint8_t *aad, size_t aad_len)
{
    int n, good = evp->encrypt_init(ctx, NULL, NULL, NULL, nonce);
    if (aad_len)
        good &= evp->encrypt_update(ctx, NULL, &n, aad, (int)aad_len);
    return good;
}

static inline int finish(const struct library *evp, void *ctx, uint8_t *tag)
{
    int n;
    uint8_t none[16];
    return evp->encrypt_final(ctx, none, &n) & evp->ctrl(ctx, GET_TAG, 16, tag);
}

static inline int seal(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t *tag)
{
    const struct library *evp = c->library;
    int n, good = begin(evp, k->ctx, nonce, aad, aad_len);
    if (len)
        good &= evp->encrypt_update(k->ctx, dst, &n, src, (int)len);
    return !(good & finish(evp, k->ctx, tag));
}

static inline int open(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag)
{
    const struct library *evp = c->library;
    uint8_t none[16];
    int n, good = evp->decrypt_init(k->ctx, NULL, NULL, NULL, nonce);
    if (aad_len)
        good &= evp->decrypt_update(k->ctx, NULL, &n, aad, (int)aad_len);
    if (len)
        good &= evp->decrypt_update(k->ctx, dst, &n, src, (int)len);
    good &= evp->ctrl(k->ctx, SET_TAG, 16, (void *)(uintptr_t)tag);
    return !(good & (evp->decrypt_final(k->ctx, none, &n) == 1));
}

static inline int pieces(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                         size_t aad_len, const struct vg_slice *slices, size_t n, uint8_t *dst, size_t len,
                         uint8_t *tag)
{
    if (len <= COPY_UP_TO) {
        copy_together(slices, n, dst);
        return seal(c, k, nonce, aad, aad_len, dst, dst, len, tag);
    }
    const struct library *evp = c->library;
    int out, good = begin(evp, k->ctx, nonce, aad, aad_len);
    for (size_t i = 0; i < n; dst += slices[i++].len)
        if (slices[i].len)
            good &= evp->encrypt_update(k->ctx, dst, &out, slices[i].data, (int)slices[i].len);
    return !(good & finish(evp, k->ctx, tag));
}

static inline int stream(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                         size_t aad_len, uint8_t *text, size_t len, size_t piece, uint8_t *tag)
{
    const struct library *evp = c->library;
    int out, good = begin(evp, k->ctx, nonce, aad, aad_len);
    for (size_t at = 0; at < len; at += piece)
        good &= evp->encrypt_update(k->ctx, text + at, &out, text + at, (int)(len - at < piece ? len - at : piece));
    return !(good & finish(evp, k->ctx, tag));
}

#include "loops.h"

static void *symbol(void *so, const char *name, int *missing)
{
    void *found = dlsym(so, name);
    *missing |= !found;
    return found;
}

int evp_add(struct candidates *all, const char *name, void *so)
{
    int missing = 0;
    struct library *evp = allocate(sizeof *evp);
    *(void **)&evp->ctx_new = symbol(so, "EVP_CIPHER_CTX_new", &missing);
    *(void **)&evp->ctx_free = symbol(so, "EVP_CIPHER_CTX_free", &missing);
    *(void **)&evp->ctrl = symbol(so, "EVP_CIPHER_CTX_ctrl", &missing);
    *(void **)&evp->encrypt_init = symbol(so, "EVP_EncryptInit_ex", &missing);
    *(void **)&evp->encrypt_update = symbol(so, "EVP_EncryptUpdate", &missing);
    *(void **)&evp->encrypt_final = symbol(so, "EVP_EncryptFinal_ex", &missing);
    *(void **)&evp->decrypt_init = symbol(so, "EVP_DecryptInit_ex", &missing);
    *(void **)&evp->decrypt_update = symbol(so, "EVP_DecryptUpdate", &missing);
    *(void **)&evp->decrypt_final = symbol(so, "EVP_DecryptFinal_ex", &missing);
    static const char *const ciphers[3] = {"EVP_aes_128_gcm", "EVP_aes_192_gcm", "EVP_aes_256_gcm"};
    for (int i = 0; i < 3; i++) {
        const void *(*cipher)(void);
        *(void **)&cipher = symbol(so, ciphers[i], &missing);
        evp->cipher[i] = missing ? NULL : cipher();
    }
    if (missing) {
        free(evp);
        return 1;
    }
    struct candidate *c = candidate_new(all, name, &evp_loops);
    c->library = evp;
    c->is_peer = 1;
    const char *(*version)(int);
    *(void **)&version = dlsym(so, "OpenSSL_version");
    snprintf(c->version, sizeof c->version, "%s", version ? version(0) : "");
    return 0;
}

void evp_add_debian(struct candidates *all)
{
    void *so = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!so || evp_add(all, "libcrypto", so))
        report_text("missing", "libcrypto", "no libcrypto.so.3: install libssl3");
}
