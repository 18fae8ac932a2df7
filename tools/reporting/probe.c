/* What an archive says of itself, and what its selector makes of CPUs, each in a line of standard input:
 * VENDOR SIGNATURE FEATURE,FEATURE,... Prints JSON, one object in a line. */
#include <internal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vg/vg.h>

static const char *const thresholds[] = {"copy_below", "split_from", "stitched_from", "prepared_after",
                                         "prepared_min_len"};

static void print_variant(size_t v, const char *name)
{
    const char *comma = "";
    printf("{\"type\": \"variant\", \"name\": \"%s\", \"thresholds\": {", name);
    for (size_t t = 0; t < sizeof thresholds / sizeof *thresholds; t++) {
        size_t value = vg_threshold(v, (enum vg_threshold)t);
        if (value != VG_THRESHOLD_NONE) {
            printf("%s\"%s\": %zu", comma, thresholds[t], value);
            comma = ", ";
        }
    }
    puts("}}");
}

static uint32_t features_of(char *list)
{
    uint32_t features = 0;
    for (char *word = strtok(list, ","); word; word = strtok(NULL, ","))
        for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT; bit++)
            if (!strcmp(word, vg_cpu_feature_name(bit)))
                features |= UINT32_C(1) << bit;
    return features;
}

/* The vendor and the signature decide about policy alone. */
static void print_choice(const char *vendor, const char *signature, char *list)
{
    struct vg_cpu_id id = {.signature = (uint32_t)strtoul(signature, NULL, 16)};
    struct vg_variant_info info;
    memcpy(id.vendor, vendor, sizeof id.vendor);
    uint32_t policy = vg_cpu_decode(&id);
    uint32_t v = vg_select(VG_CPU_FOUND | policy | features_of(list));
    int some = vg_variants(v, &info);
    printf("{\"type\": \"choice\", \"variant\": \"%s\", \"avoid_zmm\": %d}\n", some ? info.name : "", policy != 0);
}

int main(void)
{
    struct vg_variant_info info;
    char vendor[16], signature[16], list[200];
    printf("{\"type\": \"memory\", \"key_context\": %zu, \"stream_context\": %zu}\n", sizeof(struct vg_aes_gcm),
           VG_STREAM ? sizeof(struct vg_aes_gcm_stream) : 0);
    for (size_t v = 0; vg_variants(v, &info); v++)
        print_variant(v, info.name);
    while (scanf("%12s %15s %199s", vendor, signature, list) == 3)
        print_choice(vendor, signature, list);
    return 0;
}
