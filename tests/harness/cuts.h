/* A length cut into pieces, some of them empty: where calls that take a message in parts go wrong. */
#ifndef VG_TESTS_CUTS_H
#define VG_TESTS_CUTS_H

#include "random.h"

enum { CUTS_MAX = 1200 };

enum cuts_style {
    CUTS_FEW,     /* up to 8, anywhere, some empty */
    CUTS_BYTES,   /* each of one byte, as far as CUTS_MAX allows */
    CUTS_EQUAL,   /* all of one length around a block */
    CUTS_SLIVERS, /* 64 of one byte, then the rest */
    CUTS_MANY,    /* up to 40, each of at most 40 bytes, then the rest */
    CUTS_STYLES
};

/* Fill lens[CUTS_MAX]; their sum is len. Returns how many, at least 1. */
size_t cuts_make(size_t lens[CUTS_MAX], struct random *r, enum cuts_style style, size_t len);

#endif
