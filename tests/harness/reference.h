/* AES-GCM by an independent implementation: libcrypto. */
#ifndef VG_TESTS_REFERENCE_H
#define VG_TESTS_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/* Exits loudly if libcrypto refuses. nonce_len 1..2^28-1. */
void reference_seal(const uint8_t *key, size_t key_len, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                    size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
/* One AES block. */
void reference_block(const uint8_t *key, size_t key_len, const uint8_t in[16], uint8_t out[16]);

#endif
