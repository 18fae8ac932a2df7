/* Key set-up: the key expansion of FIPS 197, section 5.2, through the bitsliced S-box, and the hash subkey H. */
#include "slices.h"

static uint32_t sub_word(uint32_t word)
{
    vg_slice_bits s[8];
    vg_zero(s, sizeof s);
    for (int j = 0; j < 8; j++)
        s[j][0] = word >> j & 0x01010101;
    vg_sub_bytes(s);
    word = VG_S_BOX_CONSTANT * UINT32_C(0x01010101);
    for (int j = 0; j < 8; j++)
        word ^= (s[j][0] & 0x01010101) << j;
    vg_wipe(s, sizeof s);
    return word;
}

/* Words are read from and written to memory as they are, so the first byte of a word is its lowest. */
static void expand_key(vg_word *w, uint32_t key_words, uint32_t rounds)
{
    uint32_t round_constant = 1;
    for (uint32_t i = key_words, step = 0; i < 4 * (rounds + 1); i++, step = step + 1 == key_words ? 0 : step + 1) {
        uint32_t word = w[i - 1];
        if (step == 0) {
            word = sub_word(word >> 8 | word << 24) ^ round_constant;
            round_constant = round_constant << 1 ^ (round_constant >> 7) * 0x11b;
        } else if (key_words == 8 && step == 4) {
            word = sub_word(word);
        }
        w[i] = w[i - key_words] ^ word;
    }
}

/* enc(H) = H * x^-1 of H, whose bytes reversed are the integer: one place up, and what falls off the top comes back as
 * x^-1 = x^127 + x^6 + x + 1. */
static void write_subkey(uint8_t power[16], const uint8_t h[16])
{
    const vg_half *p = (const vg_half *)h;
    vg_half *q = (vg_half *)power;
    uint64_t high = __builtin_bswap64(p[0]), low = __builtin_bswap64(p[1]), top = high >> 63;
    q[1] = (high << 1 | low >> 63) ^ top * UINT64_C(0xc200000000000000);
    q[0] = low << 1 | top;
}

void vg_init_portable(struct vg_aes_gcm *gcm, const uint8_t *key, size_t key_len)
{
    uint8_t counter[16], h[16];
    uint32_t key_words = (uint32_t)key_len / 4;
    vg_zero(counter, sizeof counter);
    vg_zero(h, sizeof h);
    gcm->rounds = key_words + 6;
    vg_copy(gcm->round_key, key, key_len);
    expand_key((vg_word *)gcm->round_key, key_words, gcm->rounds);
    vg_ctr32_to_portable(gcm, counter, h, h, 1);
    write_subkey(gcm->power[VG_POWERS - 1], h);
    vg_wipe(h, sizeof h);
}
