/* What VG_CPU_FEATURES asks for, and what is wrong with that. */
#include "tool.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if VG_CPU_FEATURES
uint32_t hardware_features(void)
{
    uint32_t features = 0;
    const char *bad;
    size_t bad_len;
    (void)vg_cpu_request("", &features, &bad, &bad_len);
    return features;
}

const char *cpu_request_text(void) { return getenv("VG_CPU_FEATURES"); }

bool cpu_request_refused(const char *list, char *reason, size_t size)
{
    uint32_t features, hardware = hardware_features();
    const char *bad = "";
    size_t bad_len = 0;
    if (!vg_cpu_request(list, &features, &bad, &bad_len))
        return false;
    int len = bad_len < 40 ? (int)bad_len : 40;
    for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT; bit++) {
        const char *name = vg_cpu_feature_name(bit);
        if (strlen(name) != bad_len || memcmp(name, bad, bad_len))
            continue;
        snprintf(reason, size,
                 hardware >> bit & 1 ? "%s and none exclude each other; drop one of them"
                                     : "this CPU or its OS has no %s; drop that word",
                 name);
        return true;
    }
    if (bad_len == 4 && !memcmp(bad, "none", 4)) {
        snprintf(reason, size, "none stands alone; drop it or the other words");
        return true;
    }
    int used = snprintf(reason, size, "there is no feature \"%.*s\"; the words are none", len, bad);
    for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT && used < (int)size; bit++)
        used += snprintf(reason + used, size - (size_t)used, " %s", vg_cpu_feature_name(bit));
    return true;
}
#else
uint32_t hardware_features(void) { return vg_cpu_features(); }

const char *cpu_request_text(void) { return NULL; }

bool cpu_request_refused(const char *list, char *reason, size_t size)
{
    (void)list, (void)reason, (void)size;
    return false;
}
#endif
