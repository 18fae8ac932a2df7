/* A message in one piece. */
#ifndef VG_SRC_WHOLE_H
#define VG_SRC_WHOLE_H

#include "internal.h"

/* What nearly all messages are: arguments that pass every check in a few instructions, with a nonce of 12 bytes, and a
 * key whose calls need no counting. What is not plain may still be right; in small code nothing is. */
static inline int vg_is_plain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                              size_t aad_len, const uint8_t *src, const uint8_t *dst, size_t len, const uint8_t *tag)
{
    if (VG_OPTIMIZE_SIZE)
        return 0;
    if (!gcm || !nonce || !src || !dst || !tag || nonce_len != 12 || (!aad && aad_len) || (aad_len | len) >> 32)
        return 0;
    if ((dst != src && vg_overlaps(dst, len, src, len)) || vg_overlaps(dst, len, tag, 16) || !gcm->rounds)
        return 0;
    return !vg_call_counts(gcm, len);
}

/* Seal after the checks. */
void vg_seal_whole(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                   size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
#if VG_OPEN
/* Open after the checks; the verdict says what stands at dst. */
uint32_t vg_open_whole(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag,
                       size_t tag_len);
#endif

#endif
