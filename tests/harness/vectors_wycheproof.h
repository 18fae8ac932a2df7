/* Reader of Wycheproof's aes_gcm_test.json. */
#ifndef VG_TESTS_VECTORS_WYCHEPROOF_H
#define VG_TESTS_VECTORS_WYCHEPROOF_H

#include "vectors.h"
#include <jansson.h>
#include <stdio.h>

struct wycheproof {
    const char *name;
    json_t *root;
    size_t group, test; /* indices of the next vector */
    size_t declared;    /* numberOfTests */
    char wrong[300];    /* after a failure: file, place and what */
};

/* Returns 0 if file is no such JSON. name is for messages; the caller closes file, and calls wycheproof_end. */
int wycheproof_begin(struct wycheproof *w, FILE *file, const char *name);
/* The next vector of the file. A field that is missing, of another type or of another length than its group says is
 * malformed. */
enum vectors_got wycheproof_next(struct wycheproof *w, struct vector *v);
void wycheproof_end(struct wycheproof *w);

#endif
