/* vg speed: how fast the chosen variant seals and opens. */
#define _DEFAULT_SOURCE /* clock_gettime */
#include "tool.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

static const char help[] =
    "usage: vg speed [options]\n"
    "Seal and open whole messages out of place with one key, a 12-byte nonce and 13 bytes of AAD,\n"
    "and print the fastest round of each size. cycles/B are ticks of the TSC, which keeps its pace\n"
    "when the core changes its clock. VG_CPU_FEATURES=\"...\" makes it measure another variant.\n"
    "  -s, --seconds S      how long all of it takes (1)\n"
    "  -z, --size N[,N...]  bytes of text; may be repeated (64 256 1024 1420 8192 16384)\n"
    "  -b, --key-bits BITS  128, 192 or 256, as this build has them (the smallest)\n"
    "  -j, --json           one JSON object\n"
    "  -h, --help\n";

static const struct option options[] = {
    {"seconds", required_argument, NULL, 's'},  {"size", required_argument, NULL, 'z'},
    {"key-bits", required_argument, NULL, 'b'}, {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},           {0},
};

enum { SIZES_MAX = 32, AAD_LEN = 13, ROUND_NS = 200000 };
#define SIZE_LEAST 1
#define SIZE_MOST  (UINT64_C(1) << 28)

struct plan {
    double seconds;
    size_t key_len, n_sizes, sizes[SIZES_MAX];
    bool json;
};

struct bench {
    struct vg_aes_gcm gcm;
    uint8_t nonce[12], aad[AAD_LEN], tag[VG_TAG_LEN];
    uint8_t *plain, *sealed;
    size_t len;
};

struct pace {
    double ns, ticks; /* of one call */
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t now_ticks(void)
{
    _mm_lfence();
    uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
}

static enum vg_status seal(struct bench *b)
{
    return vg_aes_gcm_seal_to(&b->gcm, b->nonce, sizeof b->nonce, b->aad, sizeof b->aad, b->plain, b->sealed, b->len,
                              b->tag);
}

#if VG_OPEN
static enum vg_status open_sealed(struct bench *b)
{
    return vg_aes_gcm_open_to(&b->gcm, b->nonce, sizeof b->nonce, b->aad, sizeof b->aad, b->sealed, b->plain, b->len,
                              b->tag, sizeof b->tag);
}
#endif

static struct pace one_round(struct bench *b, enum vg_status (*call)(struct bench *), uint64_t calls)
{
    uint64_t ns = now_ns(), ticks = now_ticks();
    for (uint64_t i = 0; i < calls; i++)
        check(call(b));
    ticks = now_ticks() - ticks;
    ns = now_ns() - ns;
    return (struct pace){(double)ns / (double)calls, (double)ticks / (double)calls};
}

/* The fastest of as many rounds as the time allows, three at least. */
static struct pace measure(struct bench *b, enum vg_status (*call)(struct bench *), double seconds)
{
    uint64_t until = now_ns() + (uint64_t)(seconds * 1e9);
    struct pace best = one_round(b, call, 1);
    double calls = ROUND_NS / (best.ns > 1 ? best.ns : 1);
    for (int rounds = 0; rounds < 3 || now_ns() < until; rounds++) {
        struct pace pace = one_round(b, call, calls > 1 ? (uint64_t)calls : 1);
        best.ns = pace.ns < best.ns ? pace.ns : best.ns;
        best.ticks = pace.ticks < best.ticks ? pace.ticks : best.ticks;
        calls = ROUND_NS / (best.ns > 1 ? best.ns : 1);
    }
    return best;
}

static void print_json_pace(const char *name, struct pace pace, size_t len)
{
    printf(", \"%s\": {\"ns\": %.1f, \"mb_per_s\": %.1f, \"cycles_per_byte\": %.3f}", name, pace.ns,
           1e3 * (double)len / pace.ns, pace.ticks / (double)len);
}

static void print_pace(struct pace pace, size_t len)
{
    printf("  %11.0f %8.0f %9.2f", pace.ns, 1e3 * (double)len / pace.ns, pace.ticks / (double)len);
}

static void measure_size(struct bench *b, const struct plan *plan, size_t index)
{
    double share = plan->seconds / (double)(plan->n_sizes * (VG_OPEN ? 2 : 1));
    b->len = plan->sizes[index];
    struct pace sealing = measure(b, seal, share);
    if (plan->json) {
        printf("%s\n    {\"size\": %zu", index ? "," : "", b->len);
        print_json_pace("seal", sealing, b->len);
    } else {
        printf("%9zu", b->len);
        print_pace(sealing, b->len);
    }
#if VG_OPEN
    struct pace opening = measure(b, open_sealed, share);
    if (plan->json)
        print_json_pace("open", opening, b->len);
    else
        print_pace(opening, b->len);
#endif
    fputs(plan->json ? "}" : "\n", stdout);
}

static void measure_all(const struct plan *plan)
{
    static struct bench b = {.nonce = "nonce", .aad = "AAD"};
    uint8_t key[KEY_LEN_MAX] = {1};
    size_t longest = 0;
    for (size_t i = 0; i < plan->n_sizes; i++)
        longest = plan->sizes[i] > longest ? plan->sizes[i] : longest;
    check(vg_aes_gcm_init(&b.gcm, key, plan->key_len));
    check(vg_aes_gcm_prepare(&b.gcm));
    b.plain = calloc(longest, 1);
    b.sealed = calloc(longest, 1);
    if (!b.plain || !b.sealed)
        fail(EXIT_USAGE, "not enough memory for %zu bytes of text; use a smaller --size", longest);
    const char *name = vg_variant_name(&b.gcm);
    if (plan->json) {
        printf("{\n  \"variant\": \"%s\", \"key_bits\": %zu, \"aad_len\": %d, \"results\": [", name, 8 * plan->key_len,
               AAD_LEN);
    } else {
        printf("AES-%zu-GCM on %s\n", 8 * plan->key_len, name);
        printf("    bytes      seal ns     MB/s  cycles/B");
        puts(VG_OPEN ? "      open ns     MB/s  cycles/B" : "");
    }
    for (size_t i = 0; i < plan->n_sizes; i++)
        measure_size(&b, plan, i);
    if (plan->json)
        puts("\n  ]\n}");
    vg_aes_gcm_clear(&b.gcm);
    free(b.plain);
    free(b.sealed);
}

static void add_sizes(struct plan *plan, char *list)
{
    for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
        if (plan->n_sizes == SIZES_MAX)
            fail(EXIT_USAGE, "takes %d sizes at most", SIZES_MAX);
        plan->sizes[plan->n_sizes++] = (size_t)parse_number("--size", word, SIZE_LEAST, SIZE_MOST);
    }
}

static size_t parse_key_bits(const char *text)
{
    uint64_t bits = parse_number("--key-bits", text, 128, 256);
    if (!((VG_AES128 && bits == 128) || (VG_AES192 && bits == 192) || (VG_AES256 && bits == 256)))
        fail(EXIT_USAGE, "this build has no keys of %d bits; it has%s%s%s", (int)bits, VG_AES128 ? " 128" : "",
             VG_AES192 ? " 192" : "", VG_AES256 ? " 256" : "");
    return (size_t)bits / 8;
}

static double parse_seconds(const char *text)
{
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds >= 0.01 && seconds <= 3600))
        fail(EXIT_USAGE, "--seconds wants a number from 0.01 to 3600");
    return seconds;
}

int run_speed(int argc, char **argv)
{
    static char usual[] = "64,256,1024,1420,8192,16384";
    struct plan plan = {.seconds = 1, .key_len = VG_AES128 ? 16 : VG_AES192 ? 24 : 32};
    int option;
    while ((option = next_option(argc, argv, ":s:z:b:jh", options)) >= 0) {
        if (option == 's')
            plan.seconds = parse_seconds(optarg);
        else if (option == 'z')
            add_sizes(&plan, optarg);
        else if (option == 'b')
            plan.key_len = parse_key_bits(optarg);
        else if (option == 'h')
            show_help(help);
        else
            plan.json = true;
    }
    no_more_arguments(argc, argv);
    if (!plan.n_sizes)
        add_sizes(&plan, usual);
    measure_all(&plan);
    finish_stdout();
    return EXIT_SUCCESS;
}
