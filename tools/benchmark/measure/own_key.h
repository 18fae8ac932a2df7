/* A key of this library, for the candidates that are its own variants. */
#ifndef VG_MEASURE_OWN_KEY_H
#define VG_MEASURE_OWN_KEY_H

#include "measure.h"
#include <internal.h>

struct context {
    struct vg_aes_gcm gcm;
};

/* A base key of an adaptive build has reached the count at which it would have prepared itself, so that it never does.
 */
static inline int set_key(const struct candidate *c, struct context *k, const uint8_t *key, size_t key_len,
                          int for_open)
{
    (void)for_open;
    vg_init_variant(&k->gcm, c->variant, key, key_len);
#if VG_CONTEXT_ADAPTIVE
    if (c->prepared)
        return vg_aes_gcm_prepare(&k->gcm);
    k->gcm.calls = VG_CALLS_NEVER;
#endif
    return 0;
}

static inline void clear_key(const struct candidate *c, struct context *k)
{
    (void)c;
    vg_aes_gcm_clear(&k->gcm);
}

#endif
