/* How rows are timed. */
#ifndef VG_MEASURE_TIMING_H
#define VG_MEASURE_TIMING_H

#include "groups.h"

enum { MAX_SAMPLES = 1024 };

struct timing {
    size_t samples, passes; /* samples of each candidate in each of so many passes over all rows */
    size_t settle;          /* more passes, at most, over the rows whose two fastest passes do not agree; they
                             * take no longer than the first ones */
    double batch_us;        /* what a sample takes at least */
    double width_alone;     /* of the core, where nothing shares it */
};

/* Time all candidates in all rows and print results. Returns how often a candidate failed. */
int measure_rows(const struct candidates *all, const struct row *rows, size_t n_rows, const struct timing *timing,
                 const struct clocks *clocks);

#endif
