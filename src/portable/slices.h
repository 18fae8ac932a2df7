/* Bitsliced AES: what key set-up and counter mode share.
 *
 * Eight blocks are held as eight slices of 128 bits. Byte i of slice j holds bit j of byte i of all eight blocks, one
 * bit for each block. So byte i = 4 * column + row of FIPS 197 keeps its place, a column is a lane of 32 bits, and
 * every step works on all bytes of all blocks by logic alone: no table, no branch, no address that depends on a key or
 * a text. Vectors of 16 bytes are SSE2, which every x86-64 CPU has. */
#ifndef VG_SRC_PORTABLE_SLICES_H
#define VG_SRC_PORTABLE_SLICES_H

#include "../internal.h"

typedef uint32_t vg_slice_bits __attribute__((vector_size(16)));
typedef uint32_t vg_block_bytes __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint32_t vg_word __attribute__((aligned(1), may_alias));

static inline vg_slice_bits vg_load_block(const uint8_t *p) { return *(const vg_block_bytes *)p; }
static inline void vg_store_block(uint8_t *p, vg_slice_bits v) { *(vg_block_bytes *)p = v; }

/* Swap the bits of *a under mask << shift with those of *b under mask. */
static inline void vg_swap_bits(vg_slice_bits *a, vg_slice_bits *b, uint32_t mask, int shift)
{
    vg_slice_bits difference = ((*a >> shift) ^ *b) & mask;
    *b ^= difference;
    *a ^= difference << shift;
}

/* Blocks to slices, and slices to blocks: in every byte place a matrix of 8 by 8 bits is transposed. */
static inline void vg_transpose(vg_slice_bits s[8])
{
    for (int i = 0; i < 8; i += 2)
        vg_swap_bits(&s[i], &s[i + 1], 0x55555555, 1);
    for (int i = 0; i < 8; i += i & 1 ? 3 : 1)
        vg_swap_bits(&s[i], &s[i + 2], 0x33333333, 2);
    for (int i = 0; i < 4; i++)
        vg_swap_bits(&s[i], &s[i + 4], 0x0f0f0f0f, 4);
}

/* SubBytes without its constant: the S-box xor 0x63, which users add where it costs nothing.
 *
 * The S-box is inversion in GF(2^8) between two linear maps. Over the subfield GF(2^4), an element is a pair (a, b),
 * and its inverse is (d^-1 * b, d^-1 * a), where d = a * b + n * (a + b)^2 for a constant n lies in the subfield. The
 * circuit is that of Boyar and Peralta ("A new combinational logic minimization technique with applications to
 * cryptology", 2010):
 *   a0..a8, b0..b8  the input map and all sums of bits that the nine ands of a product in GF(2^4) want
 *   c0..c3          n * (a + b)^2, linear over bits
 *   d0..d3          d
 *   e0..e8          d^-1 in the same form as a and b
 *   p0..p8, q0..q8  the ands of e * a and e * b; their sums are part of the output map */
static inline void vg_sub_bytes(vg_slice_bits s[8])
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

#define VG_S_BOX_CONSTANT 0x63

#endif
