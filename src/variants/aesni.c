/* AES-NI without PCLMULQDQ, as a hypervisor may leave it: AES in kernels, GHASH in C. */
#include "../internal.h"

const struct vg_variant vg_variant_aesni = {.name = "aesni",
                                            .needs = VG_CPU_AES | VG_CPU_SSSE3,
                                            .stitched_from = VG_THRESHOLD_NONE,
                                            VG_ALWAYS_COPIES VG_NEVER_ADAPTS VG_OPERATIONS(aesni)};
