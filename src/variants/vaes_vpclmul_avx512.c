/* 512-bit kernels: Ice Lake, Sapphire Rapids, Zen 4 and later. */
#include "../internal.h"

/* Vectors of a group, as asm/include/layout512.inc has them. */
#define STRIDE (VG_CONTEXT_BASE || VG_POWERS >= 32 ? 8 : VG_POWERS / 4)

const struct vg_variant vg_variant_vaes_vpclmul_avx512 = {
    .name = "vaes_vpclmul_avx512",
    .needs = VG_CPU_AES | VG_CPU_SSSE3 | VG_CPU_AVX | VG_CPU_AVX2 | VG_CPU_PCLMULQDQ | VG_CPU_VAES | VG_CPU_VPCLMULQDQ |
             VG_CPU_AVX512F | VG_CPU_AVX512BW | VG_CPU_AVX512VL,
    .wide = 1,
    .split_mask = -(size_t)64, .slice_mask = -(size_t)64 * STRIDE,
    .stitched_from = 64 * STRIDE + 1,
    VG_THRESHOLDS(VAES_VPCLMUL_AVX512) VG_OPERATIONS(vaes_vpclmul_avx512)};
