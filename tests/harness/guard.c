#include "guard.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

struct guard guard_new(size_t room)
{
    size_t pages = (room + PAGE - 1) / PAGE + (room == 0);
    uint8_t *p = mmap(NULL, (pages + 2) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + PAGE, pages * PAGE, PROT_READ | PROT_WRITE)) {
        perror("guard_new");
        exit(70);
    }
    struct guard g = {p + PAGE, p + PAGE + pages * PAGE};
    guard_refill(&g);
    return g;
}

void guard_free(struct guard *g)
{
    munmap(g->low - PAGE, (size_t)(g->high - g->low) + 2 * PAGE);
    *g = (struct guard){NULL, NULL};
}

uint8_t *guard_high(struct guard *g, size_t len) { return g->high - len; }

uint8_t *guard_low(struct guard *g, size_t gap) { return g->low + gap; }

uint8_t *guard_place(struct guard *g, size_t len, size_t place)
{
    return place < 64 ? guard_low(g, place) : guard_high(g, len);
}

void guard_refill(struct guard *g) { memset(g->low, GUARD_FILL, (size_t)(g->high - g->low)); }

int guard_intact(const struct guard *g, const uint8_t *p, size_t len)
{
    enum { NEAR = 128 };
    static uint8_t fill[NEAR];
    const uint8_t *from = p - g->low > NEAR ? p - NEAR : g->low;
    const uint8_t *to = g->high - (p + len) > NEAR ? p + len + NEAR : g->high;
    if (!fill[0])
        memset(fill, GUARD_FILL, NEAR);
    return !memcmp(from, fill, (size_t)(p - from)) && !memcmp(p + len, fill, (size_t)(to - (p + len)));
}
