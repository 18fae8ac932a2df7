/* Copies for builds that have no C library beneath them. */
#include "internal.h"

typedef uint8_t chunk __attribute__((vector_size(16), aligned(1), may_alias));

void vg_copy(void *dst, const void *src, size_t len)
{
    uint8_t *d = dst;
    const uint8_t *s = src;
    if (len >= 16) {
        chunk last = *(const chunk *)(s + len - 16);
        size_t i = 0;
        for (; i + 16 <= len; i += 16)
            *(chunk *)(d + i) = *(const chunk *)(s + i);
        *(chunk *)(d + len - 16) = last;
        return;
    }
    for (size_t i = 0; i < len; i++)
        d[i] = s[i];
}

void vg_zero(void *dst, size_t len)
{
    uint8_t *d = dst;
    size_t i = 0;
    for (; i + 16 <= len; i += 16)
        *(chunk *)(d + i) = (chunk){0};
    for (; i < len; i++)
        d[i] = 0;
}
