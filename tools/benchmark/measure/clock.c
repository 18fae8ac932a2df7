/* The TSC against the system's clock, and the core's clock against the TSC. */
#include "measure.h"
#include <stdlib.h>
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
static uint64_t time_one_chain(void)
{
    uint64_t a = 0, one = 1, begin = tsc_begin();
    __asm__ volatile(".rept 1000\n\tadd %1, %0\n\t.endr" : "+r"(a) : "r"(one) : "cc");
    return tsc_end() - begin;
}

static uint64_t time_four_chains(void)
{
    uint64_t a = 0, b = 0, c = 0, d = 0, one = 1, begin = tsc_begin();
    __asm__ volatile(".rept 1000\n\tadd %4, %0\n\tadd %4, %1\n\tadd %4, %2\n\tadd %4, %3\n\t.endr"
                     : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
                     : "r"(one)
                     : "cc");
    return tsc_end() - begin;
}

static double least_of(uint64_t (*time_it)(void), int times, const struct clocks *clocks)
{
    uint64_t least = UINT64_MAX;
    while (times--) {
        uint64_t ticks = time_it();
        least = ticks < least ? ticks : least;
    }
    return (double)(least - clocks->overhead);
}

double core_hz(const struct clocks *clocks) { return 1000 * clocks->tsc_hz / least_of(time_one_chain, 20, clocks); }

double core_width(const struct clocks *clocks)
{
    return 4 * least_of(time_one_chain, 2, clocks) / least_of(time_four_chains, 2, clocks);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double core_width_alone(const struct clocks *clocks)
{
    enum { TIMES = 400 };
    double widths[TIMES];
    for (int i = 0; i < TIMES; i++) {
        widths[i] = core_width(clocks);
        for (uint64_t until = system_ns() + 500000; system_ns() < until;)
            continue;
    }
    qsort(widths, TIMES, sizeof *widths, compare_doubles);
    return widths[TIMES * 9 / 10];
}
