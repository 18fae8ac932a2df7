/* Counter mode with bitsliced AES (FIPS 197), eight blocks at once.
 *
 * Rounds go in pairs, so that ShiftRows need not move bytes in each of them. In the first round of a pair ShiftRows is
 * left out: what belongs at (row, column) then stands at (row, column + row), and MixColumns finds its next row one
 * column further. After the second round ShiftRows was left out twice, and rows 1 and 3 swap halves to make up for
 * both. Round keys of odd rounds are laid out to match. Every key size has an even number of rounds. */
#include "slices.h"

void vg_sub_bytes(vg_slice_bits s[8])
{
    typedef vg_slice_bits bits;
    bits s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3], s4 = s[4], s5 = s[5], s6 = s[6], s7 = s[7];

    bits s65 = s6 ^ s5;
    bits b7 = s4 ^ s2, b3 = s7 ^ s1, b6 = s7 ^ s4, b8 = s7 ^ s2, b0 = b3 ^ b7;
    bits a4 = s65 ^ s0, b2 = a4 ^ s4, b5 = a4 ^ s7, b4 = a4 ^ s1, b1 = b4 ^ b8;
    bits s3b0 = s3 ^ b0;
    bits a0 = s3b0 ^ s2, a1 = a0 ^ s0, a2 = s0, a8 = a0 ^ s65;
    bits c0 = s3b0 ^ s6, c1 = a8 ^ b8;
    bits a6 = c0 ^ b6, a7 = a8 ^ a6, a5 = s0 ^ a6, a3 = s65 ^ a6;
    bits c2 = b3 ^ a3, c3 = s7 ^ a3;

    bits low = a0 & b0, middle = a3 & b3, high = a6 & b6;
    bits high0 = (a7 & b7) ^ high, high1 = (a8 & b8) ^ high;
    bits d0 = (a1 & b1) ^ low ^ high0 ^ c0;
    bits d1 = (a2 & b2) ^ low ^ high1 ^ c1;
    bits d2 = (a4 & b4) ^ middle ^ high0 ^ c2;
    bits d3 = (a5 & b5) ^ middle ^ high1 ^ c3;

    bits d01 = d0 ^ d1, d02 = d0 & d2, d23 = d2 ^ d3;
    bits f = d3 ^ d02;
    bits e5 = (d01 & f) ^ d1;
    bits e2 = ((d1 ^ d02) & d23) ^ d3;
    bits g = d3 & (f ^ e2);
    bits e1 = g ^ d2 ^ e2;
    bits e4 = d01 ^ (e5 & (f ^ g));
    bits e0 = e2 ^ e1, e3 = e5 ^ e4, e6 = e5 ^ e2, e8 = e4 ^ e1, e7 = e6 ^ e8;

    bits p0 = e0 & a0, p1 = e1 & a1, p2 = e2 & a2, p3 = e3 & a3, p4 = e4 & a4, p5 = e5 & a5;
    bits p6 = e6 & a6, p7 = e7 & a7, p8 = e8 & a8;
    bits q0 = e0 & b0, q1 = e1 & b1, q2 = e2 & b2, q3 = e3 & b3, q4 = e4 & b4, q5 = e5 & b5;
    bits q6 = e6 & b6, q7 = e7 & b7, q8 = e8 & b8;

    bits q67 = q6 ^ q7, p03 = p0 ^ p3, p5q4 = p5 ^ q4;
    bits u = p2 ^ q3 ^ p03;
    bits v = p4 ^ q67;
    bits w = p3 ^ p6 ^ p7;
    bits x = p7 ^ p8 ^ v;
    bits y = q0 ^ q1 ^ v;
    bits z = q5 ^ u ^ x;
    bits p4w = p4 ^ w, p1y = p1 ^ y;
    s[0] = p5q4 ^ q67 ^ u;
    s[1] = q3 ^ p5q4 ^ x;
    s[2] = q1 ^ q2 ^ z;
    s[3] = p2 ^ p5 ^ p1y;
    s[4] = p03 ^ p1y;
    s[5] = q7 ^ q8 ^ p4w ^ z;
    s[6] = p4w ^ s[4];
    s[7] = w ^ y;
}

static inline vg_slice_bits rotate_rows(vg_slice_bits s, int rows) { return s >> (8 * rows) | s << (32 - 8 * rows); }

/* Column c becomes what column c + n was. */
static inline vg_slice_bits rotate_columns(vg_slice_bits s, int n)
{
    return (vg_slice_bits){s[n], s[(n + 1) % 4], s[(n + 2) % 4], s[(n + 3) % 4]};
}

/* MixColumns and AddRoundKey; the next row of a column stands `skew` columns further, 0 or 1.
 *
 * With a' for the next row, MixColumns is 2 * (a + a') + a' + (a + a')''; doubling moves a bit to the next slice, and
 * bit 7 to bits 0, 1, 3 and 4. */
static inline void mix_columns(vg_slice_bits s[8], const vg_slice_bits key[8], int skew)
{
    vg_slice_bits sum[8], rest[8];
    for (int j = 0; j < 8; j++) {
        vg_slice_bits next = rotate_rows(rotate_columns(s[j], skew), 1);
        sum[j] = s[j] ^ next;
        rest[j] = next ^ rotate_rows(rotate_columns(sum[j], 2 * skew), 2) ^ key[j];
    }
    s[0] = rest[0] ^ sum[7];
    s[1] = rest[1] ^ sum[0] ^ sum[7];
    s[2] = rest[2] ^ sum[1];
    s[3] = rest[3] ^ sum[2] ^ sum[7];
    s[4] = rest[4] ^ sum[3] ^ sum[7];
    s[5] = rest[5] ^ sum[4];
    s[6] = rest[6] ^ sum[5];
    s[7] = rest[7] ^ sum[6];
}

static inline void shift_rows_twice(vg_slice_bits s[8])
{
    for (int j = 0; j < 8; j++)
        s[j] ^= (s[j] ^ rotate_columns(s[j], 2)) & 0xff00ff00;
}

static inline void add_round_key(vg_slice_bits s[8], const vg_slice_bits key[8])
{
    for (int j = 0; j < 8; j++)
        s[j] ^= key[j];
}

static inline void encrypt(vg_slice_bits s[8], const vg_slice_bits key[][8], uint32_t rounds)
{
    vg_transpose(s);
    add_round_key(s, key[0]);
    for (uint32_t round = 1;; round += 2) {
        vg_sub_bytes(s);
        mix_columns(s, key[round], 1);
        vg_sub_bytes(s);
        shift_rows_twice(s);
        if (round + 1 == rounds)
            break;
        mix_columns(s, key[round + 1], 0);
    }
    add_round_key(s, key[rounds]);
    vg_transpose(s);
}

/* Round keys as slices: every bit of a byte of slice j is bit j of that byte. The constant of the S-box goes into the
 * round keys: ShiftRows and MixColumns let it through unchanged. */
static void slice_round_keys(vg_slice_bits key[][8], const struct vg_aes_gcm *gcm)
{
    for (uint32_t round = 0; round <= gcm->rounds; round++) {
        vg_slice_bits k = vg_load_block(gcm->round_key[round]);
        if (round > 0)
            k ^= VG_S_BOX_CONSTANT * UINT32_C(0x01010101);
        if (round & 1)
            k = (k & 0x000000ff) | (rotate_columns(k, 3) & 0x0000ff00) | (rotate_columns(k, 2) & 0x00ff0000) |
                (rotate_columns(k, 1) & 0xff000000);
        for (int j = 0; j < 8; j++) {
            vg_slice_bits bit = (k >> j) & 0x01010101;
            key[round][j] = (bit << 8) - bit;
        }
    }
}

void vg_ctr32_to_portable(const struct vg_aes_gcm *gcm, uint8_t counter[16], const uint8_t *src, uint8_t *dst, size_t n)
{
    vg_slice_bits key[VG_ROUND_KEYS][8], s[8];
    vg_slice_bits first = vg_load_block(counter);
    uint32_t number = vg_load_be32(counter + 12);
    slice_round_keys(key, gcm);
    while (n) {
        size_t group = n < 8 ? n : 8;
        for (uint32_t i = 0; i < 8; i++) {
            s[i] = first;
            s[i][3] = __builtin_bswap32(number + i);
        }
        encrypt(s, (const vg_slice_bits(*)[8])key, gcm->rounds);
        for (size_t i = 0; i < group; i++)
            vg_store_block(dst + 16 * i, vg_load_block(src + 16 * i) ^ s[i]);
        number += (uint32_t)group;
        src += 16 * group;
        dst += 16 * group;
        n -= group;
    }
    vg_store_be32(counter + 12, number);
    vg_wipe(key, sizeof key);
    vg_wipe(s, sizeof s);
}
