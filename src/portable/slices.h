/* What the portable files share: memory read in vectors and words, and bitsliced AES.
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
typedef uint64_t vg_half __attribute__((aligned(1), may_alias));

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
void vg_sub_bytes(vg_slice_bits s[8]);

#define VG_S_BOX_CONSTANT 0x63

#endif
