/* Does the harness itself notice what it is there to notice? */
#include "harness/check.h"
#include "harness/checked_call.h"
#include "harness/field.h"
#include "harness/guard.h"
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

/* harness/misbehave.asm: each breaks one rule of the calling convention. */
void misbehave_not(void);
void misbehave_rbx(void), misbehave_rbp(void), misbehave_r12(void), misbehave_r13(void), misbehave_r14(void);
void misbehave_r15(void), misbehave_direction(void), misbehave_mxcsr(void), misbehave_fcw(void);
void misbehave_above(void), misbehave_upper(void), misbehave_rsp(void);

static const char *complaint(void (*f)(void))
{
    const char *found = NULL;
    for (int i = 0; i < 4; i++) { /* the upper halves are looked at every other time */
        struct checked_result result = CHECKED_CALL(f, 1, 2, 3, 4, 5, 6, 7, 8);
        found = result.complaint ? result.complaint : found;
    }
    return found;
}

Test(harness, a_good_function_passes)
{
    CHECK(complaint(misbehave_not) == NULL, "%s", complaint(misbehave_not));
}

Test(harness, every_broken_rule_is_noticed)
{
    static const struct {
        void (*function)(void);
        const char *complaint;
    } rules[] = {
        {misbehave_rbx, "rbx"},     {misbehave_rbp, "rbp"},
        {misbehave_r12, "r12"},     {misbehave_r13, "r13"},
        {misbehave_r14, "r14"},     {misbehave_r15, "r15"},
        {misbehave_rsp, "rsp"},     {misbehave_direction, "direction"},
        {misbehave_mxcsr, "MXCSR"}, {misbehave_fcw, "x87"},
        {misbehave_above, "above"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *found = complaint(rules[i].function);
        CHECK(found && strstr(found, rules[i].complaint), "%s: %s", rules[i].complaint, found ? found : "nothing");
    }
}

Test(harness, dirty_upper_halves_are_noticed)
{
    if (!__builtin_cpu_supports("avx"))
        cr_skip_test("upper vector halves: this CPU lacks avx");
    const char *found = complaint(misbehave_upper);
    CHECK(found && strstr(found, "upper"), "%s", found ? found : "nothing");
}

static uint64_t ten(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h,
                    uint64_t i, uint64_t j)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

Test(harness, arguments_arrive_and_the_result_comes_back)
{
    struct checked_result result = CHECKED_CALL(ten, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    CHECK(result.rax == 385 && !result.complaint, "%" PRIu64, result.rax);
    result = CHECKED_CALL(ten, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11);
    CHECK(result.rax == 395, "%" PRIu64, result.rax);
}

static uint64_t deep(void)
{
    volatile uint8_t room[3000];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = (uint8_t)i;
    return room[2999];
}

Test(harness, stack_is_measured)
{
    struct checked_result result = CHECKED_CALL(deep, 0);
    CHECK(result.stack_used >= 3000 && result.stack_used < 5000, "%zu", result.stack_used);
    result = CHECKED_CALL(ten, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    CHECK(result.stack_used < 1000, "%zu behind a call that used more", result.stack_used);
}

static void touch(int where)
{
    struct guard g = guard_new(100);
    volatile uint8_t *high = guard_high(&g, 100), *low = guard_low(&g, 0);
    if (where < 0)
        low[-1] = 0;
    high[100] = 0;
}

Test(harness, a_byte_before_a_guarded_buffer_crashes, .signal = SIGSEGV)
{
    touch(-1);
}
Test(harness, a_byte_behind_a_guarded_buffer_crashes, .signal = SIGSEGV)
{
    touch(1);
}

Test(harness, a_byte_in_the_gap_is_noticed)
{
    struct guard g = guard_new(4096);
    uint8_t *p = guard_low(&g, 40);
    memset(p, 1, 100);
    CHECK(guard_intact(&g, p, 100), "written within");
    p[100] ^= 1;
    CHECK(!guard_intact(&g, p, 100), "written behind");
    p[100] ^= 1;
    p[-1] ^= 1;
    CHECK(!guard_intact(&g, p, 100), "written before");
}

/* The example of SP 800-38D's multiplication that the GCM specification gives in test case 2. */
Test(harness, field_of_a_published_example)
{
    static const uint8_t h[16] = {0x66, 0xe9, 0x4b, 0xd4, 0xef, 0x8a, 0x2c, 0x3b,
                                  0x88, 0x4c, 0xfa, 0x59, 0xca, 0x34, 0x2b, 0x2e};
    static const uint8_t c[16] = {0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92,
                                  0xf3, 0x28, 0xc2, 0xb9, 0x71, 0xb2, 0xfe, 0x78};
    static const uint8_t product[16] = {0x5e, 0x2e, 0xc7, 0x46, 0x91, 0x70, 0x62, 0x88,
                                        0x2c, 0x85, 0xb0, 0x68, 0x53, 0x53, 0xde, 0xb7};
    uint8_t y[16], inverse[16];
    field_multiply(y, c, h);
    CHECK(!memcmp(y, product, 16), "product");
    field_invert(inverse, h);
    field_multiply(y, y, inverse);
    CHECK(!memcmp(y, c, 16), "times the inverse");
}
