/* 256-bit VAES and VPCLMULQDQ in VEX encoding: Gracemont, Sierra Forest, Zen 3, and whatever had better not use zmm. */
#include "../internal.h"

const struct vg_variant vg_variant_vaes_vpclmul = {.name = "vaes_vpclmul",
                                                   .needs = VG_CPU_AES | VG_CPU_SSSE3 | VG_CPU_PCLMULQDQ | VG_CPU_AVX |
                                                            VG_CPU_AVX2 | VG_CPU_VAES | VG_CPU_VPCLMULQDQ,
                                                   .copy_below = VG_THRESHOLD_NONE,
                                                   .split_from = VG_THRESHOLD_NONE,
                                                   .stitched_from = 256,
                                                   VG_OPERATIONS(vaes_vpclmul)};
