/* 256-bit kernels in VEX encoding: Gracemont, Sierra Forest, Zen 3, and whatever had better not use zmm. */
#include "../internal.h"

const struct vg_variant vg_variant_vaes_vpclmul = {.name = "vaes_vpclmul",
                                                   .needs = VG_CPU_AES | VG_CPU_SSSE3 | VG_CPU_AVX | VG_CPU_AVX2 |
                                                            VG_CPU_PCLMULQDQ | VG_CPU_VAES | VG_CPU_VPCLMULQDQ,
                                                   .split_mask = -(size_t)32, .slice_mask = -(size_t)32,
                                                   .stitched_from = VG_CONTEXT_BASE || VG_POWERS >= 16 ? 257 : 129,
                                                   VG_THRESHOLDS(VAES_VPCLMUL) VG_OPERATIONS(vaes_vpclmul)};
