/* The TSC against the system's clock, and the core's clock against the TSC. */
#include "measure.h"
#include <time.h>

static uint64_t system_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

struct clocks clocks_find(void)
{
    struct clocks clocks = {.overhead = UINT64_MAX};
    uint64_t ns = system_ns(), ticks = tsc_begin(), now;
    do
        now = system_ns();
    while (now - ns < 100000000);
    clocks.tsc_hz = (double)(tsc_end() - ticks) * 1e9 / (double)(now - ns);
    for (int i = 0; i < 1000; i++) {
        uint64_t begin = tsc_begin(), nothing = tsc_end() - begin;
        clocks.overhead = nothing < clocks.overhead ? nothing : clocks.overhead;
    }
    return clocks;
}

/* A chain of register adds takes a cycle each. (Adds of a constant do not: some cores fold them while renaming.) */
double core_hz(const struct clocks *clocks)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        uint64_t sum = 0, one = 1, begin = tsc_begin();
        __asm__ volatile(".rept 4000\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(one) : "cc");
        uint64_t ticks = tsc_end() - begin;
        least = ticks < least ? ticks : least;
    }
    return 4000 * clocks->tsc_hz / (double)(least - clocks->overhead);
}
