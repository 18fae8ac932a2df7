/* Copies for builds that have no C library beneath them. */
#include "internal.h"

void vg_copy(void *dst, const void *src, size_t len)
{
    uint8_t *d = dst;
    const uint8_t *s = src;
    if (len >= 16) {
        for (size_t i = 0; i < len - 16; i += 16)
            vg_store128(d + i, vg_load128(s + i));
        vg_store128(d + len - 16, vg_load128(s + len - 16));
    } else if (len) {
        vg_store_partial(d, vg_load_partial(s, len), len);
    }
}

void vg_zero(void *dst, size_t len)
{
    uint8_t *d = dst;
    size_t i = 0;
    for (; i + 16 <= len; i += 16)
        vg_store128(d + i, (vg_block){0});
    for (; i < len; i++)
        d[i] = 0;
}
