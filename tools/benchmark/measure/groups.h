/* What is measured: groups of rows. */
#ifndef VG_MEASURE_GROUPS_H
#define VG_MEASURE_GROUPS_H

#include "measure.h"

enum {
    MAX_LENS = 4096,
    RECORD = 1, /* two slices: n bytes, and one more */
};

struct group {
    const char *name;
    enum loop loop;
    int in_place, on_request; /* on_request: not measured unless it is named */
    const char *lens, *quick_lens;
    const char *aad_lens, *keys, *quick_keys; /* NULL: 13, 1 */
    size_t piece;                             /* stream */
    int slices;                               /* pieces: so many equal ones, or RECORD */
};

struct row {
    const struct group *group;
    size_t key_len, len, aad_len, keys; /* len of a mix is the mean */
};

extern const struct group groups[];
extern const size_t n_groups;

/* Numbers from a list such as "16,64,0-2048:8". */
size_t parse_numbers(const char *list, size_t *out, size_t max);

/* Calls are run and timed in multiples of this. */
size_t row_unit(const struct row *row);
/* Give c what it needs for row. 0 if that worked. */
int work_begin(struct work *w, const struct candidate *c, const struct row *row);
void work_end(struct work *w);

#endif
