/* Adaptive keys. `calls` only grows: whoever moves it from prepared_after - 1 to prepared_after computes the
 * powers and publishes them; everybody else goes on with H alone until `prepared` is 1. The powers lie in memory that
 * nobody reads before that. Counting is relaxed: a lost wake-up is impossible, since the addition itself is atomic. */
#include "internal.h"

void vg_adapt(const struct vg_aes_gcm *gcm)
{
    /* The context is const for its users; only this count, the powers and the flag change underneath. */
    size_t after = VG_VARIANT(gcm)->prepared_after;
    struct vg_aes_gcm *own = (struct vg_aes_gcm *)(uintptr_t)gcm;
    if (__atomic_load_n(&own->calls, __ATOMIC_RELAXED) >= after)
        return;
    if (__atomic_add_fetch(&own->calls, 1, __ATOMIC_RELAXED) != after)
        return;
    VG_CALL(own, powers)(own);
    __atomic_store_n(&own->prepared, 1, __ATOMIC_RELEASE);
}
