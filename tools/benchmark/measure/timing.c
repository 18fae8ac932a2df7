/* Rows, timed: candidates in turn within a row, rows in turn within a pass. */
#include "timing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct timed {
    struct work work;
    size_t calls, warm_up; /* calls in a sample, and before it */
    int runs;
    double ns[MAX_SAMPLES];
};

static uint64_t run(struct timed *t, const struct row *row, size_t calls, size_t *bad)
{
    size_t (*loop)(struct work *, size_t) = t->work.candidate->loops->loop[row->group->loop];
    uint64_t begin = tsc_begin();
    *bad += loop(&t->work, calls);
    return tsc_end() - begin;
}

/* Find how many calls fill a batch, and how many come first to bring caches and predictors back to what they are when
 * nobody else runs: a quarter of a batch, or all keys where there are many; not more than takes a few milliseconds.
 * 0 if all calls did what they should. */
static int calibrate(struct timed *t, const struct row *row, double batch_us, const struct clocks *clocks)
{
    size_t bad = 0, wanted = (size_t)(batch_us * 1e-6 * clocks->tsc_hz), unit = row_unit(row);
    uint64_t ticks;
    t->calls = unit;
    run(t, row, t->calls, &bad);
    while ((ticks = run(t, row, t->calls, &bad)) < wanted)
        t->calls *= 2;
    size_t most = (size_t)(3e-3 * clocks->tsc_hz * (double)t->calls / (double)ticks);
    t->warm_up = row->group->loop == LOOP_MANY ? row->keys : t->calls / 4 + 1;
    t->warm_up = t->warm_up < most ? t->warm_up : most;
    if (row->group->loop != LOOP_MANY)
        t->warm_up = (t->warm_up + unit - 1) / unit * unit;
    return bad != 0;
}

static void sample(struct timed *t, const struct row *row, const struct clocks *clocks, size_t i, size_t *bad)
{
    run(t, row, t->warm_up, bad);
    uint64_t ticks = run(t, row, t->calls, bad);
    ticks = ticks > clocks->overhead ? ticks - clocks->overhead : 0;
    t->ns[i] = (double)ticks * 1e9 / clocks->tsc_hz / (double)t->calls;
}

static void print_row(const struct timed *t, const struct row *row, size_t samples, size_t pass, double core, int quiet)
{
    printf(
        "{\"type\": \"result\", \"pass\": %zu, \"group\": \"%s\", \"key_bits\": %zu, \"len\": %zu, \"aad_len\": %zu, "
        "\"keys\": %zu, \"candidate\": \"%s\", \"calls\": %zu, \"core_ghz\": %.4f, \"quiet\": %s, \"ns\": [",
        pass, row->group->name, row->key_len * 8, row->len, row->aad_len, row->keys, t->work.candidate->name, t->calls,
        core / 1e9, quiet ? "true" : "false");
    for (size_t i = 0; i < samples; i++)
        printf("%s%.2f", i ? ", " : "", t->ns[i]);
    printf("]}\n");
}

/* The two least 25th percentiles of a row and candidate so far. */
struct best {
    double first, second;
};

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void note(struct best *best, const struct timed *t, size_t samples)
{
    double sorted[MAX_SAMPLES];
    memcpy(sorted, t->ns, samples * sizeof *sorted);
    qsort(sorted, samples, sizeof *sorted, compare_doubles);
    double p25 = sorted[(samples + 3) / 4 - 1];
    if (best->first == 0 || p25 < best->first) {
        best->second = best->first;
        best->first = p25;
    } else if (best->second == 0 || p25 < best->second) {
        best->second = p25;
    }
}

/* All candidates that have the loop were undisturbed at least twice, as far as one can tell: two passes agree. */
static int is_settled(const struct candidates *all, const struct row *row, const struct best *best)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].loops->loop[row->group->loop] &&
            (best[i].second == 0 || best[i].second > 1.03 * best[i].first))
            return 0;
    return 1;
}

/* Rounds in which something else ran on the core are thrown away, for so long in a row. */
#define PATIENCE_S 0.03

static int is_quiet(const struct timing *timing, const struct clocks *clocks)
{
    return core_width(clocks) > 0.93 * timing->width_alone;
}

/* One pass over one row. Returns how many candidates failed. */
static int measure_row(const struct candidates *all, const struct row *row, const struct timing *timing, size_t pass,
                       const struct clocks *clocks, struct best *best)
{
    static struct timed timed[MAX_CANDIDATES];
    size_t bad[MAX_CANDIDATES] = {0};
    for (size_t i = 0; i < all->n; i++) {
        struct timed *t = &timed[i];
        t->runs = all->list[i].loops->loop[row->group->loop] != NULL;
        if (t->runs)
            bad[i] = work_begin(&t->work, &all->list[i], row) || calibrate(t, row, timing->batch_us, clocks);
    }
    double core = core_hz(clocks);
    uint64_t deadline = tsc_begin() + (uint64_t)(PATIENCE_S * clocks->tsc_hz);
    int all_quiet = 1;
    for (size_t s = 0; s < timing->samples;) {
        int quiet = is_quiet(timing, clocks);
        for (size_t i = 0; i < all->n; i++)
            if (timed[i].runs && !bad[i])
                sample(&timed[i], row, clocks, s, &bad[i]);
        quiet = quiet && is_quiet(timing, clocks);
        if (!quiet && tsc_begin() < deadline)
            continue;
        all_quiet &= quiet;
        s++;
    }
    int n_wrong = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (!timed[i].runs)
            continue;
        if (bad[i]) {
            report_text("wrong", all->list[i].name, row->group->name);
            n_wrong++;
        } else {
            print_row(&timed[i], row, timing->samples, pass, core, all_quiet);
            if (all_quiet)
                note(&best[i], &timed[i], timing->samples);
        }
        work_end(&timed[i].work);
    }
    return n_wrong;
}

static void show_progress(size_t done, size_t total, const struct row *row)
{
    enum { WIDTH = 40 };
    if (!isatty(STDERR_FILENO))
        return;
    size_t filled = done * WIDTH / total;
    fprintf(stderr, "\r[%.*s%.*s] %3zu%% %-16s %7zu bytes\033[K", (int)filled,
            "########################################", (int)(WIDTH - filled),
            "                                        ", done * 100 / total, row->group->name, row->len);
    if (done == total)
        fprintf(stderr, "\r\033[K");
}

int measure_rows(const struct candidates *all, const struct row *rows, size_t n_rows, const struct timing *timing,
                 const struct clocks *clocks)
{
    struct best *best = allocate(n_rows * all->n * sizeof *best);
    int n_wrong = 0;
    uint64_t begin = tsc_begin(), middle = 0;
    for (size_t pass = 0; pass < timing->passes + timing->settle; pass++) {
        if (pass == timing->passes)
            middle = tsc_begin();
        for (size_t r = 0; r < n_rows; r++) {
            if (middle && tsc_begin() - middle > middle - begin)
                break;
            if (middle && is_settled(all, &rows[r], best + r * all->n))
                continue;
            show_progress(pass < timing->passes ? pass * n_rows + r : timing->passes * n_rows - 1,
                          timing->passes * n_rows, &rows[r]);
            n_wrong += measure_row(all, &rows[r], timing, pass, clocks, best + r * all->n);
            fflush(stdout);
        }
    }
    show_progress(1, 1, rows);
    free(best);
    return n_wrong;
}
