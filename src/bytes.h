/* Bytes in memory: copying, clearing, byte order, and pieces of a block. */
#ifndef VG_SRC_BYTES_H
#define VG_SRC_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <vg/config.h>

#define VG_NOINLINE __attribute__((noinline))

#if VG_FREESTANDING
void vg_copy(void *dst, const void *src, size_t len); /* regions do not overlap */
void vg_zero(void *dst, size_t len);
#else
#include <string.h>
static inline void vg_copy(void *dst, const void *src, size_t len)
{
    if (len)
        memcpy(dst, src, len);
}
static inline void vg_zero(void *dst, size_t len)
{
    if (len)
        memset(dst, 0, len);
}
#endif

/* Zero memory that held secrets; the compiler may not leave it out. */
static inline void vg_wipe(void *p, size_t len)
{
#if VG_WIPE
    vg_zero(p, len);
    __asm__ volatile("" : : "r"(p) : "memory");
#else
    (void)p;
    (void)len;
#endif
}

static inline uint32_t vg_load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void vg_store_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

/* Little-endian numbers of 4 and 8 bytes, as the CPU has them. */
static inline uint32_t vg_load32(const uint8_t *p)
{
    uint32_t v;
    __builtin_memcpy(&v, p, 4);
    return v;
}

static inline uint64_t vg_load64(const uint8_t *p)
{
    uint64_t v;
    __builtin_memcpy(&v, p, 8);
    return v;
}

static inline void vg_store32(uint8_t *p, uint32_t v) { __builtin_memcpy(p, &v, 4); }
static inline void vg_store64(uint8_t *p, uint64_t v) { __builtin_memcpy(p, &v, 8); }

/* A block in a register. Kernels read blocks with one load, which waits for two stores of half a block each. */
typedef uint64_t vg_block __attribute__((vector_size(16)));
typedef vg_block vg_block_anywhere __attribute__((aligned(1), may_alias));
static inline vg_block vg_load128(const uint8_t *p) { return *(const vg_block_anywhere *)p; }
static inline void vg_store128(uint8_t *p, vg_block b) { *(vg_block_anywhere *)p = b; }

/* Zero n blocks. Compilers take the string instruction for as few bytes as these, which is slower than seven stores. */
static inline void vg_zero_blocks(uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        vg_store128(p + 16 * i, (vg_block){0});
        __asm__ volatile("" : : : "memory");
    }
}

/* Bytes of a block as two numbers, the first byte lowest. */
struct vg_halves {
    uint64_t low, high;
};

static inline vg_block vg_block_of(struct vg_halves h) { return (vg_block){h.low, h.high}; }

/* src[len], 1 to 15 bytes, zeros behind: two loads that overlap, and no byte loop. */
static inline struct vg_halves vg_load_partial(const uint8_t *src, size_t len)
{
    if (len > 8)
        return (struct vg_halves){vg_load64(src), vg_load64(src + len - 8) >> (128 - 8 * len)};
    if (len >= 4)
        return (struct vg_halves){vg_load32(src) | (uint64_t)vg_load32(src + len - 4) << (8 * len - 32), 0};
    return (struct vg_halves){src[0] | (uint64_t)src[len / 2] << len / 2 * 8 | (uint64_t)src[len - 1] << (8 * len - 8),
                              0};
}

/* v << n and v >> n, 1 <= n <= 63. In one step, beside a shift the other way, compilers make SHLD or SHRD by CL of
 * them, which are not among the instructions that Intel lists as constant-time. */
static inline uint64_t vg_up(uint64_t v, size_t n) { return v << 1 << (n - 1); }
static inline uint64_t vg_down(uint64_t v, size_t n) { return v >> 1 >> (n - 1); }

/* The first len bytes of h, 1 to 15, to dst[len]. */
static inline void vg_store_partial(uint8_t *dst, struct vg_halves h, size_t len)
{
    if (len > 8) {
        vg_store64(dst, h.low);
        vg_store64(dst + len - 8, h.low >> (8 * len - 64) | vg_up(h.high, 128 - 8 * len));
    } else if (len >= 4) {
        vg_store32(dst, (uint32_t)h.low);
        vg_store32(dst + len - 4, (uint32_t)(h.low >> (8 * len - 32)));
    } else {
        dst[0] = (uint8_t)h.low;
        dst[len / 2] = (uint8_t)(h.low >> len / 2 * 8);
        dst[len - 1] = (uint8_t)(h.low >> (8 * len - 8));
    }
}

/* Move bytes up within a block, 0 to 15 places; zeros come in. */
static inline struct vg_halves vg_move_up(struct vg_halves h, size_t places)
{
    if (places >= 8)
        return (struct vg_halves){0, h.low << (8 * places - 64)};
    if (places == 0)
        return h;
    return (struct vg_halves){h.low << 8 * places, h.high << 8 * places | vg_down(h.low, 64 - 8 * places)};
}

/* Copy text: nothing but whole registers, the last of which overlaps the one before. */
void vg_copy_text(uint8_t *dst, const uint8_t *src, size_t len);

/* dst[dst_len] and src[src_len], neither of them empty, share a byte: one comparison for both sides. */
static inline int vg_overlaps(const void *dst, size_t dst_len, const void *src, size_t src_len)
{
    return (uintptr_t)src - (uintptr_t)dst + src_len - 1 < dst_len + src_len - 1;
}

/* dst and src, both of len bytes, overlap without being the same. */
static inline int vg_overlaps_partly(const void *dst, const void *src, size_t len)
{
    return len && dst != src && vg_overlaps(dst, len, src, len);
}

#endif
