/* Reader of NIST's CAVP response files for GCM (.rsp): gcmDecryptNNN and gcmEncryptExtIVNNN. */
#ifndef VG_TESTS_VECTORS_CAVP_H
#define VG_TESTS_VECTORS_CAVP_H

#include "vectors.h"
#include <stdio.h>

enum cavp_length { CAVP_KEY, CAVP_IV, CAVP_PT, CAVP_AAD, CAVP_TAG, CAVP_LENGTHS };

struct cavp {
    FILE *file;
    const char *name;
    size_t line;
    size_t bytes[CAVP_LENGTHS]; /* as the last section headers said */
    char text[2 * VECTOR_MAX + 32];
    char wrong[200]; /* after VECTORS_MALFORMED: file, line and what */
};

/* name is for messages; the caller closes file. */
void cavp_begin(struct cavp *cavp, FILE *file, const char *name);
/* The next vector of the file. A line that is not understood, a field twice or not at all, or of another length than
 * the section says: all are malformed. */
enum vectors_got cavp_next(struct cavp *cavp, struct vector *v);

#endif
