/* GHASH (SP 800-38D, section 6.4) by integer multiplication.
 *
 * The field. The bytes of a block, reversed, are read as a 128-bit integer v; bit i of v is then the coefficient of
 * x^(127 - i) in GF(2)[x] / (x^128 + x^7 + x^2 + x + 1). The carry-less product of two such integers has the
 * coefficient of x^(254 - k) at bit k, one place off a doubled v. Keys hold powers of H as enc(H^i) = H^i * x^-1, and
 * that makes up for it: bit k of the carry-less product of v and enc(h) is the coefficient of x^(255 - k) in v * h. Its
 * upper half is of the form of v, and its lower half stands for that much times x^128 = x^7 + x^2 + x + 1. So
 * multiply(v, enc(h)) is v * h, and multiply(enc(g), enc(h)) is enc(g * h).
 *
 * The product. Integers in which only every fourth bit may be set multiply without carries getting in the way: each
 * bit of the carry-less product is the lowest of four bits in which at most 15 ones are counted. Hence the four
 * quarters of each factor, sixteen multiplications, and a mask. To count 15 and not 16, one factor lacks its top
 * four bits; those cost one multiplication for each quarter of the other factor, in which no two bits meet at all.
 *
 * Constant time: MUL takes the same time for all operands on every x86-64 CPU, and all else is logic and shifts by
 * constants. */
#include "slices.h"

__extension__ typedef unsigned __int128 u128;

/* A factor of 64 bits, ready to multiply with. */
struct factor {
    uint64_t quarter[4]; /* bits that are i modulo 4, without the top four */
    uint64_t top;        /* the top four */
};

/* A factor of 128 bits, ready for three products in Karatsuba's way. */
struct factors {
    struct factor low, high, sum;
};

struct element {
    uint64_t low, high;
};

#define EVERY_FOURTH UINT64_C(0x1111111111111111)

/* The quarters of a product: one after the other in small code, side by side where they should be fast. */
#if VG_OPTIMIZE_SIZE
#define FOR_EACH_QUARTER(i) for (unsigned i = 0; i < 4; i++)
#else
#define FOR_EACH_QUARTER(i) _Pragma("GCC unroll 4") for (unsigned i = 0; i < 4; i++)
#endif

static void make_factor(struct factor *f, uint64_t v)
{
    for (int i = 0; i < 4; i++)
        f->quarter[i] = v & UINT64_MAX >> 4 & EVERY_FOURTH << i;
    f->top = v >> 60;
}

static void make_factors(struct factors *f, struct element v)
{
    make_factor(&f->low, v.low);
    make_factor(&f->high, v.high);
    make_factor(&f->sum, v.low ^ v.high);
}

/* The carry-less product of v and f. */
static inline u128 multiply_half(uint64_t v, const struct factor *f)
{
    u128 mask = (u128)EVERY_FOURTH << 64 | EVERY_FOURTH, product = 0, rest = 0;
    FOR_EACH_QUARTER(k)
    {
        u128 sum = 0;
        FOR_EACH_QUARTER(i) sum ^= (u128)(v & EVERY_FOURTH << i) * f->quarter[(k - i) & 3];
        product |= sum & mask;
        mask <<= 1; /* mask << k would be SHLD by CL, which not every CPU does in constant time */
        rest ^= (u128)(v & EVERY_FOURTH << k) * f->top;
    }
    return product ^ rest << 60;
}

static inline struct element multiply(struct element v, const struct factors *h)
{
    u128 low = multiply_half(v.low, &h->low), high = multiply_half(v.high, &h->high);
    u128 middle = multiply_half(v.low ^ v.high, &h->sum) ^ low ^ high;
    uint64_t p0 = (uint64_t)low, p1 = (uint64_t)(low >> 64) ^ (uint64_t)middle;
    uint64_t p2 = (uint64_t)high ^ (uint64_t)(middle >> 64), p3 = (uint64_t)(high >> 64);
    /* Multiplying by x moves bits down. The lowest word goes first: it reaches back into the second. */
    p1 ^= p0 << 63 ^ p0 << 62 ^ p0 << 57;
    p2 ^= p0 ^ p0 >> 1 ^ p0 >> 2 ^ p0 >> 7;
    p2 ^= p1 << 63 ^ p1 << 62 ^ p1 << 57;
    p3 ^= p1 ^ p1 >> 1 ^ p1 >> 2 ^ p1 >> 7;
    return (struct element){p2, p3};
}

static inline struct element load_reversed(const uint8_t block[16])
{
    const vg_half *p = (const vg_half *)block;
    return (struct element){__builtin_bswap64(p[1]), __builtin_bswap64(p[0])};
}

static inline void store_reversed(uint8_t block[16], struct element v)
{
    vg_half *p = (vg_half *)block;
    p[0] = __builtin_bswap64(v.high);
    p[1] = __builtin_bswap64(v.low);
}

static struct element load_power(const uint8_t power[16])
{
    const vg_half *p = (const vg_half *)power;
    return (struct element){p[0], p[1]};
}

void vg_ghash_portable(const struct vg_aes_gcm *gcm, uint8_t y[16], const uint8_t *data, size_t n)
{
    struct factors h;
    struct element v = load_reversed(y);
    make_factors(&h, load_power(gcm->power[VG_POWERS - 1]));
    for (; n; n--, data += 16) {
        struct element block = load_reversed(data);
        v = multiply((struct element){v.low ^ block.low, v.high ^ block.high}, &h);
    }
    store_reversed(y, v);
    vg_wipe(&h, sizeof h);
}

#if !VG_CONTEXT_BASE
static void store_power(uint8_t power[16], struct element v)
{
    vg_half *p = (vg_half *)power;
    p[0] = v.low;
    p[1] = v.high;
}

/* GHASH of a block of zeros multiplies its state by H: no second copy of the product's code. */
void vg_powers_portable(struct vg_aes_gcm *gcm)
{
    static const uint8_t zeros[16];
    uint8_t y[16];
    store_reversed(y, load_power(gcm->power[VG_POWERS - 1]));
    for (int i = 2; i <= VG_POWERS; i++) {
        vg_ghash_portable(gcm, y, zeros, 1);
        store_power(gcm->power[VG_POWERS - i], load_reversed(y));
    }
    vg_wipe(y, sizeof y);
}
#endif
