/* Call a function with junk in every register that it must not rely on, and look at all that it must keep.
 *
 * The function runs on a stack of its own between guard pages, with patterns in rbx, rbp, r12..r15, unusual control
 * words in MXCSR and x87, and junk in all vector registers and masks that this CPU and its OS have. Looked at
 * afterwards: these registers, rsp, the direction flag, both control words, the bytes above the stack arguments, and,
 * if the upper vector halves were clean at the call, whether they are clean still.
 *
 * Not for several threads at once. */
#ifndef VG_TESTS_CHECKED_CALL_H
#define VG_TESTS_CHECKED_CALL_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKED_ARGS_MAX = 10, CHECKED_STACK = 64 * 1024 };

struct checked_result {
    uint64_t rax;
    const char *complaint; /* NULL if the function kept its word */
    size_t stack_used;     /* bytes, without the return address and the arguments */
};

/* The first `n` arguments are passed as integers, six in registers and the rest on the stack. */
struct checked_result checked_call(void (*function)(void), size_t n, const uint64_t arguments[]);

/* CHECKED_CALL(f, a, b, c): the same with the arguments in place; integers and pointers only. */
#define CHECKED_CALL(function, ...)                                                                                    \
    checked_call((void (*)(void))(function), sizeof((const uint64_t[]){CHECKED_EACH(__VA_ARGS__)}) / 8,                \
                 (const uint64_t[]){CHECKED_EACH(__VA_ARGS__)})
#define CHECKED_EACH(...)                                                                                              \
    CHECKED_PICK(__VA_ARGS__, CHECKED_10, CHECKED_9, CHECKED_8, CHECKED_7, CHECKED_6, CHECKED_5, CHECKED_4, CHECKED_3, \
                 CHECKED_2, CHECKED_1)                                                                                 \
    (__VA_ARGS__)
#define CHECKED_PICK(a, b, c, d, e, f, g, h, i, j, NAME, ...) NAME
#define CHECKED_1(a)                                          (uint64_t)(a)
#define CHECKED_2(a, ...)                                     (uint64_t)(a), CHECKED_1(__VA_ARGS__)
#define CHECKED_3(a, ...)                                     (uint64_t)(a), CHECKED_2(__VA_ARGS__)
#define CHECKED_4(a, ...)                                     (uint64_t)(a), CHECKED_3(__VA_ARGS__)
#define CHECKED_5(a, ...)                                     (uint64_t)(a), CHECKED_4(__VA_ARGS__)
#define CHECKED_6(a, ...)                                     (uint64_t)(a), CHECKED_5(__VA_ARGS__)
#define CHECKED_7(a, ...)                                     (uint64_t)(a), CHECKED_6(__VA_ARGS__)
#define CHECKED_8(a, ...)                                     (uint64_t)(a), CHECKED_7(__VA_ARGS__)
#define CHECKED_9(a, ...)                                     (uint64_t)(a), CHECKED_8(__VA_ARGS__)
#define CHECKED_10(a, ...)                                    (uint64_t)(a), CHECKED_9(__VA_ARGS__)

/* The vector registers as the last checked call left them: 32 of 64 bytes, zero where the CPU has none. */
const uint8_t *checked_vectors(void);
/* The stack of checked calls, as the last one left it. */
const uint8_t *checked_stack(void);

#endif
