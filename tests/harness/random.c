#include "random.h"
#include <stdlib.h>
#include <string.h>

uint64_t random_seed(void)
{
    const char *s = getenv("VG_TEST_SEED");
    return s && *s ? strtoull(s, NULL, 0) : 1;
}

struct random random_new(uint64_t stream)
{
    return (struct random){.state = random_seed() * UINT64_C(0x9e3779b97f4a7c15) + stream};
}

/* splitmix64 */
uint64_t random_next(struct random *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

size_t random_below(struct random *r, size_t limit) { return (size_t)(random_next(r) >> 16) % limit; }

void random_fill(struct random *r, void *p, size_t len)
{
    uint8_t *d = p;
    for (; len; len -= len < 8 ? len : 8, d += 8) {
        uint64_t v = random_next(r);
        memcpy(d, &v, len < 8 ? len : 8);
    }
}
