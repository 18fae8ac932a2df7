/* PCLMULQDQ without AES-NI, as a BIOS or a hypervisor may leave it: vector-permute AES, then GHASH. */
#include "../internal.h"

const struct vg_variant vg_variant_pclmul = {.name = "pclmul",
                                             .needs = VG_CPU_SSSE3 | VG_CPU_PCLMULQDQ,
                                             .copy_below = VG_THRESHOLD_NONE,
                                             .split_from = VG_THRESHOLD_NONE,
                                             .stitched_from = VG_THRESHOLD_NONE,
                                             VG_OPERATIONS(pclmul)};
