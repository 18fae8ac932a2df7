/* Deterministic random bytes: VG_TEST_SEED in the environment chooses another run, and every failure prints it. */
#ifndef VG_TESTS_RANDOM_H
#define VG_TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

uint64_t random_seed(void);
/* A generator of its own for each test, so that tests do not depend on one another. */
struct random random_new(uint64_t stream);
uint64_t random_next(struct random *r);
/* 0 <= result < limit */
size_t random_below(struct random *r, size_t limit);
void random_fill(struct random *r, void *p, size_t len);

#endif
