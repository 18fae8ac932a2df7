/* GF(2^128) of SP 800-38D, section 6.3, one bit at a time: a model to compare with, in the standard's own byte order.
 */
#ifndef VG_TESTS_FIELD_H
#define VG_TESTS_FIELD_H

#include <stddef.h>
#include <stdint.h>

/* product = a * b; any of them may be the same. */
void field_multiply(uint8_t product[16], const uint8_t a[16], const uint8_t b[16]);
/* inverse = a^-1, for a other than 0 */
void field_invert(uint8_t inverse[16], const uint8_t a[16]);
/* The form in which key contexts keep a power: a * x^-1, bytes reversed. */
void field_encode(uint8_t encoded[16], const uint8_t a[16]);
/* y continued over data[16*n] */
void field_ghash(uint8_t y[16], const uint8_t h[16], const uint8_t *data, size_t n);
/* The nonce of 16 bytes whose J0 is the wanted one. */
void field_nonce_for(uint8_t nonce[16], const uint8_t h[16], const uint8_t j0[16]);

#endif
