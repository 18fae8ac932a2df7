#include "field.h"
#include <string.h>

/* Bit i of a block, 0 the first: the coefficient of x^i. */
static int bit(const uint8_t a[16], unsigned i) { return a[i / 8] >> (7 - i % 8) & 1; }

/* a = a * x */
static void times_x(uint8_t a[16])
{
    int carry = bit(a, 127);
    for (unsigned i = 15; i > 0; i--)
        a[i] = (uint8_t)(a[i] >> 1 | a[i - 1] << 7);
    a[0] >>= 1;
    if (carry)
        a[0] ^= 0xe1;
}

void field_multiply(uint8_t product[16], const uint8_t a[16], const uint8_t b[16])
{
    uint8_t sum[16] = {0}, v[16];
    memcpy(v, b, 16);
    for (unsigned i = 0; i < 128; i++) {
        if (bit(a, i))
            for (unsigned j = 0; j < 16; j++)
                sum[j] ^= v[j];
        times_x(v);
    }
    memcpy(product, sum, 16);
}

/* a^(2^128 - 2): the product of a^(2^k) for k = 1..127 */
void field_invert(uint8_t inverse[16], const uint8_t a[16])
{
    uint8_t square[16], product[16] = {0x80};
    memcpy(square, a, 16);
    for (unsigned k = 1; k < 128; k++) {
        field_multiply(square, square, square);
        field_multiply(product, product, square);
    }
    memcpy(inverse, product, 16);
}

void field_encode(uint8_t encoded[16], const uint8_t a[16])
{
    static const uint8_t x[16] = {0x40};
    static uint8_t inverse[16];
    static int known;
    uint8_t quotient[16];
    if (!known)
        field_invert(inverse, x);
    known = 1;
    field_multiply(quotient, inverse, a);
    for (unsigned i = 0; i < 16; i++)
        encoded[i] = quotient[15 - i];
}

void field_ghash(uint8_t y[16], const uint8_t h[16], const uint8_t *data, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (unsigned j = 0; j < 16; j++)
            y[j] ^= data[16 * i + j];
        field_multiply(y, y, h);
    }
}

/* J0 = (nonce * H + lengths) * H, so nonce = (J0 * H^-1 + lengths) * H^-1. */
void field_nonce_for(uint8_t nonce[16], const uint8_t h[16], const uint8_t j0[16])
{
    uint8_t inverse[16], v[16];
    field_invert(inverse, h);
    field_multiply(v, j0, inverse);
    v[15] ^= 128;
    field_multiply(nonce, v, inverse);
}
