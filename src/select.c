/* Which variant a key uses: the best one that the CPU can run and that policy does not avoid. */
#include "internal.h"

#if VG_DISPATCH_RUNTIME
const struct vg_variant *const vg_variant_table[] = {
#if VG_VARIANT_VAES_VPCLMUL_AVX512
    &vg_variant_vaes_vpclmul_avx512,
#endif
#if VG_VARIANT_VAES_VPCLMUL
    &vg_variant_vaes_vpclmul,
#endif
#if VG_VARIANT_AESNI_PCLMUL_AVX
    &vg_variant_aesni_pclmul_avx,
#endif
#if VG_VARIANT_AESNI_PCLMUL
    &vg_variant_aesni_pclmul,
#endif
#if VG_VARIANT_PCLMUL
    &vg_variant_pclmul,
#endif
#if VG_VARIANT_AESNI
    &vg_variant_aesni,
#endif
#if VG_VARIANT_PORTABLE
    &vg_variant_portable,
#endif
};
const uint32_t vg_variant_count = sizeof vg_variant_table / sizeof *vg_variant_table;
#define VARIANT(v) vg_variant_table[v]
#else
#define VARIANT(v) (&VG_PASTE(variant, VG_FIXED))
#endif

static int avoided(const struct vg_variant *variant, uint32_t state)
{
    return variant->wide && (state & VG_CPU_AVOID_ZMM);
}

uint32_t vg_select(uint32_t state)
{
    uint32_t fallback = vg_variant_count;
    if (state & VG_CPU_BAD_REQUEST)
        return vg_variant_count;
    for (uint32_t v = 0; v < vg_variant_count; v++) {
        if (VARIANT(v)->needs & ~state)
            continue;
        if (!avoided(VARIANT(v), state))
            return v;
        if (fallback == vg_variant_count)
            fallback = v;
    }
    return fallback;
}

int vg_variants(size_t index, struct vg_variant_info *info)
{
    if (index >= vg_variant_count)
        return 0;
    uint32_t state = vg_cpu_state();
    const struct vg_variant *variant = VARIANT(index);
    *info = (struct vg_variant_info){
        .name = variant->name,
        .needs = variant->needs,
        .missing = variant->needs & ~state,
        .avoided = avoided(variant, state),
        .chosen = index == vg_select(state),
    };
    return 1;
}

const char *vg_variant_name(const struct vg_aes_gcm *gcm)
{
    return gcm && gcm->rounds ? VARIANT(gcm->variant)->name : "none";
}

size_t vg_threshold(size_t index, enum vg_threshold threshold)
{
    if (index >= vg_variant_count)
        return VG_THRESHOLD_NONE;
    switch (threshold) {
    case VG_THRESHOLD_COPY_BELOW:
        return VARIANT(index)->copy_below;
    case VG_THRESHOLD_SPLIT_FROM:
        return VARIANT(index)->split_from;
    case VG_THRESHOLD_STITCHED_FROM:
        return VARIANT(index)->stitched_from;
#if VG_CONTEXT_ADAPTIVE
    case VG_THRESHOLD_PREPARED_AFTER:
        return VARIANT(index)->prepared_after;
    case VG_THRESHOLD_PREPARED_MIN_LEN:
        return VARIANT(index)->prepared_min_len;
#else
    case VG_THRESHOLD_PREPARED_AFTER:
    case VG_THRESHOLD_PREPARED_MIN_LEN:
        return VG_THRESHOLD_NONE;
#endif
    }
    return VG_THRESHOLD_NONE;
}
