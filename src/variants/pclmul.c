/* PCLMULQDQ without AES-NI, as a BIOS or a hypervisor may leave it: vector-permute AES, then GHASH. */
#include "../internal.h"

const struct vg_variant vg_variant_pclmul = {.name = "pclmul",
                                             .needs = VG_CPU_SSSE3 | VG_CPU_PCLMULQDQ,
                                             .stitched_from = VG_THRESHOLD_NONE,
                                             VG_ALWAYS_COPIES VG_ADAPTS(PCLMUL) VG_OPERATIONS(pclmul)};
