/* Whole messages from the operations for blocks (SP 800-38D, sections 6 and 7). */
#include "internal.h"

void vg_ghash_padded(const struct vg_aes_gcm *gcm, uint8_t y[16], const uint8_t *data, size_t len)
{
    size_t whole = len / 16, rest = len % 16;
    if (whole)
        VG_CALL_FORM(gcm, ghash)(gcm, y, data, whole);
    if (rest) {
        uint8_t block[16] = {0};
        vg_copy(block, data + 16 * whole, rest);
        VG_CALL_FORM(gcm, ghash)(gcm, y, block, 1);
        vg_wipe(block, sizeof block);
    }
}

static void hash_lengths(const struct vg_aes_gcm *gcm, uint8_t y[16], uint64_t first_len, uint64_t second_len)
{
    uint8_t block[16];
    vg_store128(block, vg_lengths(first_len, second_len));
    VG_CALL_FORM(gcm, ghash)(gcm, y, block, 1);
}

void vg_j0(const struct vg_aes_gcm *gcm, uint8_t j0[16], const uint8_t *nonce, size_t nonce_len)
{
    if (!VG_ANY_NONCE || nonce_len == 12) {
        vg_store128(j0, (vg_block){vg_load64(nonce), vg_load32(nonce + 8) | UINT64_C(1) << 56});
        return;
    }
    vg_zero(j0, 16);
    vg_ghash_padded(gcm, j0, nonce, nonce_len);
    hash_lengths(gcm, j0, 0, nonce_len);
}

void vg_finish_tag(const struct vg_aes_gcm *gcm, uint8_t tag[16], uint8_t y[16], const uint8_t j0[16], uint64_t aad_len,
                   uint64_t len)
{
    uint8_t counter[16];
    hash_lengths(gcm, y, aad_len, len);
    vg_copy(counter, j0, 16);
    VG_CALL(gcm, ctr32_to)(gcm, counter, y, tag, 1);
    vg_wipe(counter, sizeof counter);
}

#if VG_OPEN || VG_SELF_TEST
int vg_equal(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint32_t difference = 0;
    for (size_t i = 0; i < len; i++)
        difference |= (uint32_t)(a[i] ^ b[i]);
    return (int)((difference - 1) >> 31);
}
#endif

/* The last, partial block of a text: src[rest] to dst[rest]. cipher[16] gets its ciphertext with zeros behind. */
static void crypt_rest(const struct vg_aes_gcm *gcm, uint8_t counter[16], const uint8_t *src, uint8_t *dst, size_t rest,
                       uint8_t cipher[16], int encrypt)
{
    uint8_t block[16] = {0};
    __asm__("" : "+r"(rest)); /* compilers that know it is small make more of each copy than a call */
    vg_zero(cipher, 16);
    vg_copy(block, src, rest);
    if (!encrypt)
        vg_copy(cipher, block, rest);
    VG_CALL(gcm, ctr32_to)(gcm, counter, block, block, 1);
    if (encrypt)
        vg_copy(cipher, block, rest);
    vg_copy(dst, block, rest);
    vg_wipe(block, sizeof block);
}

static void crypt_message(const struct vg_aes_gcm *gcm, const uint8_t j0[16], const uint8_t *aad, size_t aad_len,
                          const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16], int encrypt)
{
    uint8_t counter[16], y[16] = {0};
    size_t whole = len / 16, rest = len % 16;
    vg_copy(counter, j0, 16);
    vg_add32(counter, counter, 1);
    vg_ghash_padded(gcm, y, aad, aad_len);
    if (whole) {
#if VG_OPEN
        if (!encrypt)
            VG_CALL_FORM(gcm, decrypt_blocks_to)(gcm, counter, y, src, dst, whole);
        else
#endif
            VG_CALL_FORM(gcm, encrypt_blocks_to)(gcm, counter, y, src, dst, whole);
    }
    if (rest) {
        uint8_t cipher[16];
        crypt_rest(gcm, counter, src + 16 * whole, dst + 16 * whole, rest, cipher, encrypt);
        VG_CALL_FORM(gcm, ghash)(gcm, y, cipher, 1);
    }
    vg_finish_tag(gcm, tag, y, j0, aad_len, len);
    vg_wipe(y, sizeof y);
    vg_wipe(counter, sizeof counter);
}

void vg_encrypt_message(const struct vg_aes_gcm *gcm, const uint8_t j0[16], const uint8_t *aad, size_t aad_len,
                        const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16])
{
    crypt_message(gcm, j0, aad, aad_len, src, dst, len, tag, 1);
}

#if VG_OPEN
void vg_decrypt_message(const struct vg_aes_gcm *gcm, const uint8_t j0[16], const uint8_t *aad, size_t aad_len,
                        const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16])
{
    crypt_message(gcm, j0, aad, aad_len, src, dst, len, tag, 0);
}

void vg_ctr_message(const struct vg_aes_gcm *gcm, const uint8_t j0[16], const uint8_t *src, uint8_t *dst, size_t len)
{
    uint8_t counter[16], cipher[16];
    size_t whole = len / 16, rest = len % 16;
    vg_copy(counter, j0, 16);
    vg_add32(counter, counter, 1);
    if (whole)
        VG_CALL(gcm, ctr32_to)(gcm, counter, src, dst, whole);
    if (rest)
        crypt_rest(gcm, counter, src + 16 * whole, dst + 16 * whole, rest, cipher, 1);
    vg_wipe(counter, sizeof counter);
}
#endif
