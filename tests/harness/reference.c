#include "reference.h"
#include "field.h"
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(int ok, const char *what)
{
    if (ok == 1)
        return;
    fprintf(stderr, "libcrypto refuses: %s\n", what);
    exit(70);
}

static EVP_CIPHER_CTX *context(void)
{
    static EVP_CIPHER_CTX *ctx;
    if (!ctx)
        ctx = EVP_CIPHER_CTX_new();
    need(ctx != NULL, "EVP_CIPHER_CTX_new");
    return ctx;
}

enum { LIBCRYPTO_NONCE_MAX = 128 };

/* A nonce of 16 bytes with the same J0 as one that is too long for libcrypto: the two are one to GCM. */
static void shorten_nonce(uint8_t shorter[16], const uint8_t *key, size_t key_len, const uint8_t *nonce,
                          size_t nonce_len)
{
    uint8_t h[16], j0[16] = {0}, block[16];
    reference_block(key, key_len, (uint8_t[16]){0}, h);
    for (size_t at = 0; at < nonce_len; at += 16) {
        memset(block, 0, 16);
        memcpy(block, nonce + at, nonce_len - at < 16 ? nonce_len - at : 16);
        field_ghash(j0, h, block, 1);
    }
    memset(block, 0, 16);
    for (unsigned i = 0; i < 8; i++)
        block[15 - i] = (uint8_t)(nonce_len * 8 >> 8 * i);
    field_ghash(j0, h, block, 1);
    field_nonce_for(shorter, h, j0);
}

void reference_seal(const uint8_t *key, size_t key_len, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                    size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16])
{
    EVP_CIPHER_CTX *ctx = context();
    const EVP_CIPHER *cipher = key_len == 16   ? EVP_aes_128_gcm()
                               : key_len == 24 ? EVP_aes_192_gcm()
                                               : EVP_aes_256_gcm();
    uint8_t none[16], shorter[16];
    int n;
    if (nonce_len > LIBCRYPTO_NONCE_MAX) {
        shorten_nonce(shorter, key, key_len, nonce, nonce_len);
        nonce = shorter;
        nonce_len = 16;
    }
    need(EVP_EncryptInit_ex(ctx, cipher, NULL, NULL, NULL), "cipher");
    need(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)nonce_len, NULL), "nonce length");
    need(EVP_EncryptInit_ex(ctx, NULL, NULL, key, nonce), "key and nonce");
    if (aad_len)
        need(EVP_EncryptUpdate(ctx, NULL, &n, aad, (int)aad_len), "aad");
    if (len)
        need(EVP_EncryptUpdate(ctx, dst, &n, src, (int)len), "text");
    need(EVP_EncryptFinal_ex(ctx, none, &n), "final");
    need(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag), "tag");
}

void reference_block(const uint8_t *key, size_t key_len, const uint8_t in[16], uint8_t out[16])
{
    EVP_CIPHER_CTX *ctx = context();
    const EVP_CIPHER *cipher = key_len == 16   ? EVP_aes_128_ecb()
                               : key_len == 24 ? EVP_aes_192_ecb()
                                               : EVP_aes_256_ecb();
    int n;
    need(EVP_EncryptInit_ex(ctx, cipher, NULL, key, NULL), "ecb");
    need(EVP_CIPHER_CTX_set_padding(ctx, 0), "padding");
    need(EVP_EncryptUpdate(ctx, out, &n, in, 16), "block");
}
