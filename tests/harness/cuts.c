#include "cuts.h"

static size_t piece_len(struct random *r, enum cuts_style style, size_t equal, size_t n, size_t left)
{
    static const uint8_t around[] = {1, 7, 9, 15, 16, 17, 31, 32, 33, 48, 64};
    size_t len = left;
    if (n == CUTS_MAX - 1)
        return left;
    switch (style) {
    case CUTS_FEW:
        len = n == 7 ? left : random_below(r, 4) ? random_below(r, left + 1) : 0;
        break;
    case CUTS_BYTES:
        len = 1;
        break;
    case CUTS_EQUAL:
        len = around[equal % sizeof around];
        break;
    case CUTS_SLIVERS:
        len = n < 64 ? 1 : left;
        break;
    case CUTS_MANY:
        len = n == 39 ? left : random_below(r, 41);
        break;
    case CUTS_STYLES:
        break;
    }
    return len < left ? len : left;
}

size_t cuts_make(size_t lens[CUTS_MAX], struct random *r, enum cuts_style style, size_t len)
{
    size_t n = 0, equal = random_below(r, 256);
    do {
        lens[n] = piece_len(r, style, equal, n, len);
        len -= lens[n++];
    } while (len);
    return n;
}
