#include "checked_call.h"
#include "guard.h"
#include "random.h"
#include <cpuid.h>
#include <string.h>

/* As in checked_call_frame.asm. */
struct frame {
    void (*function)(void);
    uint8_t *stack;
    uint64_t argument[6], kept[6];
    uint32_t level, clean, xinuse, mxcsr, fcw, padding;
    uint8_t vectors[32][64];
    uint64_t rax;
    uint8_t *rsp;
    uint64_t kept_out[6], flags;
    uint32_t mxcsr_out, fcw_out, in_use;
};

void checked_call_frame(struct frame *frame);
uint32_t checked_call_dirty_upper(void), checked_call_clean_upper(void);

enum {
    ABOVE = 64, /* bytes above the stack arguments that nobody may touch */
    IN_USE_YMM = 1 << 2,
    IN_USE_ZMM = 1 << 6,
    DIRECTION = 1 << 10,
    PAGE = 4096,
};

static struct frame frame;
static struct guard stack;
static uint8_t *touched; /* the stack holds GUARD_FILL below it */
static uint8_t fill[PAGE];
static struct random junk;
static uint32_t level, has_xinuse, calls;

static uint32_t xcr0(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* XINUSE is worth looking at only where it tells a dirty half from a clean one: emulators often do not. */
static void look_at_cpu(void)
{
    uint32_t a, b, c, d;
    __cpuid(1, a, b, c, d);
    if (!(c & bit_OSXSAVE) || !(c & bit_AVX) || (xcr0() & 6) != 6)
        return;
    level = 1;
    if (__get_cpuid_count(13, 1, &a, &b, &c, &d) && (a & 4))
        has_xinuse = (checked_call_dirty_upper() & IN_USE_YMM) && !(checked_call_clean_upper() & IN_USE_YMM);
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX512F) && (xcr0() & 0xe6) == 0xe6)
        level = 2;
}

static void begin(void)
{
    if (stack.low)
        return;
    stack = guard_new(CHECKED_STACK);
    touched = stack.high;
    memset(fill, GUARD_FILL, sizeof fill);
    junk = random_new(0xca11);
    look_at_cpu();
}

/* Without XINUSE, an upper half that is not zero shows that it is in use; zeros in one that is would go unseen. */
static int upper_is_clean(void)
{
    static const uint8_t zero[48];
    if (has_xinuse)
        return !(frame.in_use & (IN_USE_YMM | IN_USE_ZMM));
    for (unsigned i = 0; i < 16 && level; i++)
        if (memcmp(frame.vectors[i] + 16, zero, level == 1 ? 16 : 48))
            return 0;
    return 1;
}

static const char *complaint(size_t pushed, const uint8_t above[ABOVE])
{
    static const char *const kept[6] = {"rbx was not kept", "rbp was not kept", "r12 was not kept",
                                        "r13 was not kept", "r14 was not kept", "r15 was not kept"};
    if (frame.rsp != frame.stack)
        return "rsp was not kept";
    for (unsigned i = 0; i < 6; i++)
        if (frame.kept_out[i] != frame.kept[i])
            return kept[i];
    if (frame.flags & DIRECTION)
        return "the direction flag is set";
    if (frame.mxcsr_out != frame.mxcsr)
        return "MXCSR was not kept";
    if ((frame.fcw_out & 0xffff) != frame.fcw)
        return "the x87 control word was not kept";
    if (memcmp(frame.stack + 8 * pushed, above, ABOVE))
        return "bytes above the stack arguments were written";
    if (frame.clean && !upper_is_clean())
        return "upper vector halves are not clean";
    return NULL;
}

/* A call touches little of the stack, so whole pages are looked at first, then lines of them. */
static uint8_t *first_touched(void)
{
    uint8_t *p = stack.low;
    for (size_t step = PAGE; step; step /= 64)
        while ((size_t)(stack.high - p) >= step && !memcmp(p, fill, step))
            p += step;
    return p;
}

struct checked_result checked_call(void (*function)(void), size_t n, const uint64_t arguments[])
{
    begin();
    memset(touched, GUARD_FILL, (size_t)(stack.high - touched));
    size_t pushed = n > 6 ? n - 6 : 0;
    uint8_t above[ABOVE];
    frame.function = function;
    frame.stack = guard_high(&stack, ABOVE + (pushed + pushed % 2) * 8);
    random_fill(&junk, frame.argument, sizeof frame.argument);
    random_fill(&junk, frame.kept, sizeof frame.kept);
    random_fill(&junk, frame.vectors, sizeof frame.vectors);
    random_fill(&junk, above, sizeof above);
    memcpy(frame.argument, arguments, 8 * (n - pushed));
    if (pushed)
        memcpy(frame.stack, arguments + 6, 8 * pushed);
    memcpy(frame.stack + 8 * pushed, above, ABOVE);
    frame.level = level;
    frame.clean = calls++ % 2;
    frame.xinuse = has_xinuse;
    frame.mxcsr = 0x7f80 | (calls & 2 ? 0x8040 : 0); /* round to zero; flush denormals every other time */
    frame.fcw = 0x0e7f;
    checked_call_frame(&frame);
    touched = first_touched();
    const uint8_t *top = frame.stack - 8;
    return (struct checked_result){frame.rax, complaint(pushed, above), touched < top ? (size_t)(top - touched) : 0};
}

const uint8_t *checked_vectors(void) { return &frame.vectors[0][0]; }

const uint8_t *checked_stack(void) { return stack.low; }
