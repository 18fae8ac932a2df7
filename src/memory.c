/* Copies: of text, and what builds have that have no C library beneath them. */
#include "internal.h"

#if VG_FREESTANDING
void vg_copy(void *dst, const void *src, size_t len) { vg_copy_text(dst, src, len); }

void vg_zero(void *dst, size_t len)
{
    uint8_t *d = dst;
    size_t i = 0;
    for (; i + 16 <= len; i += 16)
        vg_store128(d + i, (vg_block){0});
    for (; i < len; i++)
        d[i] = 0;
}
#endif

void vg_copy_text(uint8_t *dst, const uint8_t *src, size_t len)
{
    if (!VG_FREESTANDING && len > 128) {
        vg_copy(dst, src, len);
    } else if (len >= 16) {
        for (size_t at = 0; at < len - 16; at += 16)
            vg_store128(dst + at, vg_load128(src + at));
        vg_store128(dst + len - 16, vg_load128(src + len - 16));
    } else if (len) {
        vg_store_partial(dst, vg_load_partial(src, len), len);
    }
}
