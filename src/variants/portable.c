/* The last resort: no CPU feature beyond the x86-64 baseline. */
#include "../internal.h"

const struct vg_variant vg_variant_portable = {.name = "portable",
                                               .needs = 0,
                                               .stitched_from = VG_THRESHOLD_NONE,
                                               VG_ALWAYS_COPIES VG_NEVER_ADAPTS VG_OPERATIONS(portable)};
