/* vg/blocks.h: the parts that AES-GCM is made of, for protocols that cut a message themselves.
 *
 * Everything here works on whole 16-byte blocks; n counts blocks and may be 0. dst is src or does not overlap it.
 * A counter block is 12 bytes of nonce and a 32-bit big-endian number; the calls advance that number by n, modulo 2^32
 * (inc32 of SP 800-38D, section 6.2), and leave the other 12 bytes alone. y is a GHASH state in the byte order of
 * SP 800-38D, section 6.4: 16 zero bytes to begin with.
 *
 * Nothing here counts how much was encrypted under one nonce: SP 800-38D allows 2^32 - 2 blocks, and the caller sees
 * to it. Errors of all: VG_ERR_NULL, VG_ERR_KEY, VG_ERR_OVERLAP, and VG_ERR_TEXT_LEN if n is over 2^32 - 2. */
#ifndef VG_BLOCKS_H
#define VG_BLOCKS_H

#include <vg/aes_gcm.h>

#if VG_BLOCKS
#ifdef __cplusplus
extern "C" {
#endif

/* Write the key_len/4 + 7 round keys of FIPS 197, section 5.2, 16 bytes each: 176, 208 or 240 bytes.
 * Errors: VG_ERR_NULL, VG_ERR_KEY_LEN, VG_ERR_CPU. */
enum vg_status vg_aes_expand_key(uint8_t *round_keys, const uint8_t *key, size_t key_len);

/* Counter mode: xor text[16*n] with the keystream that begins at counter. */
enum vg_status vg_aes_ctr32(const struct vg_aes_gcm *gcm, uint8_t counter[VG_AT_LEAST(16)], uint8_t *text, size_t n);
enum vg_status vg_aes_ctr32_to(const struct vg_aes_gcm *gcm, uint8_t counter[VG_AT_LEAST(16)], const uint8_t *src,
                               uint8_t *dst, size_t n);

/* Continue the GHASH state y over data[16*n]. No limit on n. */
enum vg_status vg_ghash(const struct vg_aes_gcm *gcm, uint8_t y[VG_AT_LEAST(16)], const uint8_t *data, size_t n);

/* Counter mode, and y continued over the ciphertext. */
enum vg_status vg_aes_gcm_encrypt_blocks(const struct vg_aes_gcm *gcm, uint8_t counter[VG_AT_LEAST(16)],
                                         uint8_t y[VG_AT_LEAST(16)], uint8_t *text, size_t n);
enum vg_status vg_aes_gcm_encrypt_blocks_to(const struct vg_aes_gcm *gcm, uint8_t counter[VG_AT_LEAST(16)],
                                            uint8_t y[VG_AT_LEAST(16)], const uint8_t *src, uint8_t *dst, size_t n);
#if VG_OPEN
enum vg_status vg_aes_gcm_decrypt_blocks(const struct vg_aes_gcm *gcm, uint8_t counter[VG_AT_LEAST(16)],
                                         uint8_t y[VG_AT_LEAST(16)], uint8_t *text, size_t n);
#endif

#ifdef __cplusplus
}
#endif
#endif
#endif
