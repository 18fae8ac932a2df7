/* CHECK(condition, format, ...): fail the test with the parameters that lead there, and with the seed. */
#ifndef VG_TESTS_CHECK_H
#define VG_TESTS_CHECK_H

#include "random.h"
#include <inttypes.h>
#ifdef VG_TESTS_PLAIN
#include "plain.h"
#else
#include <criterion/criterion.h>
#endif

#define CHECK(condition, format, ...)                                                                                  \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            cr_assert_fail("%s: " format " (VG_TEST_SEED=%" PRIu64 ")", #condition, ##__VA_ARGS__, random_seed());     \
    } while (0)

#endif
