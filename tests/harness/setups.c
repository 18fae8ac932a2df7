#include "setups.h"
#include <internal.h>
#include <stdio.h>

const size_t key_sizes[] = {
#if VG_AES128
    16,
#endif
#if VG_AES192
    24,
#endif
#if VG_AES256
    32,
#endif
};
const size_t key_sizes_count = sizeof key_sizes / sizeof *key_sizes;

static void say_skipped(const struct vg_variant_info *info)
{
    fprintf(stderr, "SKIPPED: variant %s: this CPU lacks", info->name);
    for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT; bit++)
        if (info->missing >> bit & 1)
            fprintf(stderr, " %s", vg_cpu_feature_name(bit));
    fprintf(stderr, "\n");
}

size_t setups_find(struct setup setups[SETUPS_MAX])
{
    const int first = VG_CONTEXT_PREPARED, last = !VG_CONTEXT_BASE;
    struct vg_variant_info info;
    size_t n = 0;
    for (uint32_t v = 0; vg_variants(v, &info); v++) {
        if (info.missing) {
            say_skipped(&info);
            continue;
        }
        for (int prepared = first; prepared <= last; prepared++) {
            struct setup *s = setups + n++;
            *s = (struct setup){.variant = v, .needs = info.needs, .prepared = prepared, .name = info.name};
            snprintf(s->label, sizeof s->label, "%s %s", info.name, prepared ? "prepared" : "base");
        }
    }
    return n;
}

void setup_key(const struct setup *setup, struct vg_aes_gcm *gcm, const uint8_t *key, size_t key_len)
{
    vg_init_variant(gcm, setup->variant, key, key_len);
#if VG_CONTEXT_ADAPTIVE
    if (setup->prepared)
        vg_aes_gcm_prepare(gcm);
    else
        gcm->calls = VG_CALLS_NEVER;
#endif
}
