/* Tests without Criterion, for builds with which it does not run: one after the other in one process, and the first one
 * that fails ends it. Writes what tests/run-suites reads. Included by the one C file of a program. */
#ifndef VG_TESTS_PLAIN_H
#define VG_TESTS_PLAIN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plain_test {
    const char *name;
    void (*run)(void), (*init)(void);
};

enum { PLAIN_TESTS_MAX = 40 };

static struct plain_test plain_tests[PLAIN_TESTS_MAX];
static size_t plain_tests_count;

#define Test(suite, test, ...)                                                                                         \
    static void suite##_##test(void);                                                                                  \
    __attribute__((constructor)) static void suite##_##test##_register(void)                                           \
    {                                                                                                                  \
        plain_tests[plain_tests_count++] = (struct plain_test){.name = #test, .run = suite##_##test, ##__VA_ARGS__};   \
    }                                                                                                                  \
    static void suite##_##test(void)

#define cr_assert_fail(...)                                                                                            \
    do {                                                                                                               \
        fprintf(stderr, __VA_ARGS__);                                                                                  \
        fprintf(stderr, "\n");                                                                                         \
        exit(1);                                                                                                       \
    } while (0)

#define cr_assert(condition, ...)                                                                                      \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            cr_assert_fail("%s:%d: %s", __FILE__, __LINE__, #condition);                                               \
    } while (0)

int main(int argc, char **argv)
{
    FILE *results = argc > 1 && !strncmp(argv[1], "--tap=", 6) ? fopen(argv[1] + 6, "w") : stdout;
    if (!results)
        return 2;
    fprintf(results, "TAP version 13\n1..%zu\n", plain_tests_count);
    for (size_t i = 0; i < plain_tests_count; i++) {
        fflush(results);
        if (plain_tests[i].init)
            plain_tests[i].init();
        plain_tests[i].run();
        fprintf(results, "ok - %s\n", plain_tests[i].name);
    }
    return fclose(results) != 0;
}

#endif
