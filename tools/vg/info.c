/* vg info */
#define _GNU_SOURCE /* readlink with every -std */
#include "tool.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: vg info [--json]\n"
    "The CPU features found and what VG_CPU_FEATURES leaves of them; the variants of this build,\n"
    "best first, and why each was chosen or not; thresholds; sizes; the configuration.\n"
    "Exit status: 0; 1 if no variant can run here.\n"
    "  -j, --json   the same as one JSON object\n"
    "  -h, --help\n";

static const struct option options[] = {
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static const struct {
    enum vg_threshold threshold;
    const char *name;
} thresholds[] = {
    {VG_THRESHOLD_COPY_BELOW, "copy_below"},
    {VG_THRESHOLD_SPLIT_FROM, "split_from"},
    {VG_THRESHOLD_STITCHED_FROM, "stitched_from"},
    {VG_THRESHOLD_PREPARED_AFTER, "prepared_after"},
    {VG_THRESHOLD_PREPARED_MIN_LEN, "prepared_min_len"},
};
enum { THRESHOLDS = sizeof thresholds / sizeof *thresholds };

struct facts {
    uint32_t hardware, in_use;
    const char *request; /* VG_CPU_FEATURES, NULL if it says nothing */
    bool refused;
    char reason[300];
    bool any_chosen;
    long long archive_len; /* -1 if there is no libvg.a beside this program */
};

static long long find_archive(void)
{
    char path[PATH_MAX + sizeof "libvg.a"];
    struct stat status;
    ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);
    while (len > 0 && path[len - 1] != '/')
        len--;
    if (len <= 0)
        return -1;
    strcpy(path + len, "libvg.a");
    return stat(path, &status) ? -1 : (long long)status.st_size;
}

static struct facts gather_facts(void)
{
    struct vg_variant_info variant;
    struct facts facts = {
        .hardware = hardware_features(),
        .in_use = vg_cpu_features(),
        .request = cpu_request_text(),
        .archive_len = find_archive(),
    };
    facts.refused = facts.request && cpu_request_refused(facts.request, facts.reason, sizeof facts.reason);
    for (size_t i = 0; vg_variants(i, &variant); i++)
        facts.any_chosen |= variant.chosen != 0;
    return facts;
}

static void print_features(uint32_t features)
{
    if (!features)
        fputs(" none", stdout);
    for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT; bit++)
        if (features >> bit & 1)
            printf(" %s", vg_cpu_feature_name(bit));
}

/* Returns what stands before the next reason. */
static const char *print_missing(uint32_t missing, const char *before, const char *who)
{
    if (!missing)
        return before;
    fputs(before, stdout);
    print_features(missing);
    printf(" %s", who);
    return ";";
}

static void print_variant(const struct facts *facts, const struct vg_variant_info *variant, bool better_chosen)
{
    printf("  %-20s ", variant->name);
    if (variant->chosen)
        fputs("chosen", stdout);
    else if (facts->refused)
        fputs("no: VG_CPU_FEATURES is refused", stdout);
    else if (variant->missing)
        fputs("no", stdout);
    else if (variant->avoided)
        fputs("no: zmm registers cost clock speed on this CPU model", stdout);
    else if (better_chosen)
        fputs("can run; a better one is chosen", stdout);
    if (!facts->refused) {
        const char *before = print_missing(variant->missing & ~facts->hardware, ":", "not on this CPU or its OS");
        print_missing(variant->missing & facts->hardware, before, "withheld by VG_CPU_FEATURES");
    }
    if (variant->chosen && variant->avoided)
        fputs(", though zmm registers cost clock speed here: nothing else can run", stdout);
    putchar('\n');
}

static void print_thresholds(void)
{
    struct vg_variant_info variant;
    puts("thresholds");
    for (size_t i = 0; vg_variants(i, &variant); i++) {
        printf("  %-20s", variant.name);
        int printed = 0;
        for (int t = 0; t < THRESHOLDS; t++) {
            size_t value = vg_threshold(i, thresholds[t].threshold);
            if (value != VG_THRESHOLD_NONE)
                printed += printf(" %s=%zu", thresholds[t].name, value);
        }
        puts(printed ? "" : " none");
    }
}

static void print_text(const struct facts *facts)
{
    struct vg_variant_info variant;
    bool better_chosen = false;
    fputs("CPU features    ", stdout);
    print_features(facts->hardware);
    fputs("\nVG_CPU_FEATURES  ", stdout);
    if (!VG_CPU_FEATURES)
        puts("this build does not read it");
    else if (facts->refused)
        printf("refused: %s\n", facts->reason);
    else if (!facts->request)
        puts("not set");
    else {
        fputs("in use:", stdout);
        print_features(facts->in_use);
        putchar('\n');
    }
    puts("variants, best first");
    for (size_t i = 0; vg_variants(i, &variant); i++) {
        print_variant(facts, &variant, better_chosen);
        better_chosen |= variant.chosen != 0;
    }
    print_thresholds();
    printf("key context      %zu bytes\n", sizeof(struct vg_aes_gcm));
    if (VG_STREAM)
        printf("stream context   %zu bytes\n", sizeof(struct vg_aes_gcm_stream));
    if (facts->archive_len >= 0)
        printf("archive          libvg.a, %lld bytes with its symbols\n", facts->archive_len);
    printf("configuration    %s\n", vg_config_string());
}

static void print_json_features(const char *name, uint32_t features)
{
    const char *comma = "";
    printf("\"%s\": [", name);
    for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT; bit++) {
        if (features >> bit & 1) {
            printf("%s\"%s\"", comma, vg_cpu_feature_name(bit));
            comma = ", ";
        }
    }
    putchar(']');
}

static void print_json_variant(const struct facts *facts, size_t index, const struct vg_variant_info *variant)
{
    const char *comma = "";
    printf("%s\n    {\"name\": \"%s\", \"chosen\": %s, \"avoided\": %s, ", index ? "," : "", variant->name,
           variant->chosen ? "true" : "false", variant->avoided ? "true" : "false");
    print_json_features("needs", variant->needs);
    fputs(", ", stdout);
    print_json_features("missing", variant->missing & ~facts->hardware);
    fputs(", ", stdout);
    print_json_features("withheld", variant->missing & facts->hardware);
    fputs(", \"thresholds\": {", stdout);
    for (int t = 0; t < THRESHOLDS; t++) {
        size_t value = vg_threshold(index, thresholds[t].threshold);
        if (value != VG_THRESHOLD_NONE) {
            printf("%s\"%s\": %zu", comma, thresholds[t].name, value);
            comma = ", ";
        }
    }
    fputs("}}", stdout);
}

static void print_json_text(const char *name, const char *text)
{
    printf(",\n  \"%s\": ", name);
    if (text)
        json_string(text);
    else
        fputs("null", stdout);
}

static void print_json(const struct facts *facts)
{
    struct vg_variant_info variant;
    fputs("{\n  ", stdout);
    print_json_features("cpu_features", facts->hardware);
    fputs(",\n  ", stdout);
    print_json_features("features_in_use", facts->in_use);
    print_json_text("request", facts->request);
    print_json_text("refused", facts->refused ? facts->reason : NULL);
    fputs(",\n  \"variants\": [", stdout);
    for (size_t i = 0; vg_variants(i, &variant); i++)
        print_json_variant(facts, i, &variant);
    printf("\n  ],\n  \"key_context_len\": %zu", sizeof(struct vg_aes_gcm));
    if (VG_STREAM)
        printf(",\n  \"stream_context_len\": %zu", sizeof(struct vg_aes_gcm_stream));
    if (facts->archive_len >= 0)
        printf(",\n  \"archive_len\": %lld", facts->archive_len);
    print_json_text("configuration", vg_config_string());
    puts("\n}");
}

int run_info(int argc, char **argv)
{
    bool json = false;
    int option;
    while ((option = next_option(argc, argv, ":jh", options)) >= 0) {
        if (option == 'h')
            show_help(help);
        json = true;
    }
    no_more_arguments(argc, argv);
    struct facts facts = gather_facts();
    if (json)
        print_json(&facts);
    else
        print_text(&facts);
    finish_stdout();
    return facts.any_chosen ? EXIT_SUCCESS : EXIT_FAILURE;
}
