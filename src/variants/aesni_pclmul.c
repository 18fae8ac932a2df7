/* AES-NI and PCLMULQDQ in SSE encoding: Atom C3000 and P5900, Westmere, and whatever has no AVX. */
#include "../internal.h"

const struct vg_variant vg_variant_aesni_pclmul = {.name = "aesni_pclmul",
                                                   .needs = VG_CPU_AES | VG_CPU_SSSE3 | VG_CPU_PCLMULQDQ,
                                                   .split_mask = -(size_t)16, .slice_mask = -(size_t)128,
                                                   .stitched_from = 129,
                                                   VG_THRESHOLDS(AESNI_PCLMUL) VG_OPERATIONS(aesni_pclmul)};
