/* The same kernels in VEX encoding: Sandy Bridge to Broadwell, Skylake, Zen and Zen 2, and whatever has no VAES. */
#include "../internal.h"

const struct vg_variant vg_variant_aesni_pclmul_avx = {.name = "aesni_pclmul_avx",
                                                       .needs =
                                                           VG_CPU_AES | VG_CPU_SSSE3 | VG_CPU_PCLMULQDQ | VG_CPU_AVX,
                                                       .split_mask = -(size_t)16, .slice_mask = -(size_t)128,
                                                       .stitched_from = 129,
                                                       VG_THRESHOLDS(AESNI_PCLMUL_AVX) VG_OPERATIONS(aesni_pclmul_avx)};
