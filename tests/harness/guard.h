/* Buffers between two pages that may not be touched: a byte read or written beyond either end is a crash.
 * What lies between a placed buffer and its guard page is filled with GUARD_FILL, for guard_intact to look at. */
#ifndef VG_TESTS_GUARD_H
#define VG_TESTS_GUARD_H

#include <stddef.h>
#include <stdint.h>

enum { GUARD_FILL = 0xa5 };

struct guard {
    uint8_t *low, *high; /* first byte that may be touched, and one past the last */
};

/* room is rounded up to whole pages. Exits loudly if there is no memory. */
struct guard guard_new(size_t room);
void guard_free(struct guard *g);

/* A buffer of len bytes that ends at the upper page. */
uint8_t *guard_high(struct guard *g, size_t len);
/* A buffer that begins gap bytes after the lower page. */
uint8_t *guard_low(struct guard *g, size_t gap);
/* One of the two, by turns: place 0..63 begins at that offset from the lower page, every other one ends at the upper.
 */
uint8_t *guard_place(struct guard *g, size_t len, size_t place);

/* Fill everything with GUARD_FILL. */
void guard_refill(struct guard *g);
/* No byte within 128 bytes around p[len] has changed since guard_refill. */
int guard_intact(const struct guard *g, const uint8_t *p, size_t len);

#endif
