/* Times AES-GCM calls of our variants and of peers, interleaved on one core, and prints JSON lines. tools/bench runs it
 * and makes tables of them. */
#define _GNU_SOURCE
#include "groups.h"
#include "peers.h"
#include "timing.h"
#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { MAX_ROWS = 16384 };

static struct {
    const char *groups, *sizes, *key_bits, *candidates;
    size_t cpu;
    struct timing timing;
    int quick, list, stack;
} options = {.candidates = "*", .cpu = SIZE_MAX, .timing = {.samples = 16, .passes = 3, .settle = 6, .batch_us = 4}};

void stop(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("measure: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(2);
}

/* Large pieces lie in huge pages where the system has them, as a dataplane's contexts do: times of many keys then
 * depend less on which small pages a process happens to get. */
void *allocate(size_t len)
{
    enum { SMALL = 4096, HUGE = 1 << 21 };
    size_t page = len >= HUGE ? HUGE : SMALL, whole = (len / page + 1) * page;
    void *p = aligned_alloc(page, whole);
    if (!p)
        stop("out of memory");
    if (page == HUGE)
        madvise(p, whole, MADV_HUGEPAGE);
    return memset(p, 0, whole);
}

void fill_junk(void *p, size_t len, uint64_t seed)
{
    uint8_t *bytes = p;
    uint64_t state = seed * 0x9e3779b97f4a7c15 + 1;
    for (size_t i = 0; i < len; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[i] = (uint8_t)(state >> 32);
    }
}

void copy_together(const struct vg_slice *slices, size_t n, uint8_t *dst)
{
    for (size_t i = 0; i < n; dst += slices[i++].len)
        if (slices[i].len)
            memcpy(dst, slices[i].data, slices[i].len);
}

static void print_string(const char *key, const char *text)
{
    printf("\"%s\": \"", key);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        if ((unsigned char)*text >= ' ')
            putchar(*text);
    }
    putchar('"');
}

void report_text(const char *type, const char *about, const char *text)
{
    printf("{");
    print_string("type", type);
    printf(", ");
    print_string("about", about);
    printf(", ");
    print_string("text", text);
    printf("}\n");
}

struct candidate *candidate_new(struct candidates *all, const char *name, const struct loops *loops)
{
    if (all->n == MAX_CANDIDATES)
        stop("more than %d candidates", MAX_CANDIDATES);
    struct candidate *c = &all->list[all->n++];
    *c = (struct candidate){.loops = loops};
    snprintf(c->name, sizeof c->name, "%s", name);
    return c;
}

int peer_add(struct candidates *all, const char *name, const char *path)
{
    void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!so)
        stop("--peer %s: %s", name, dlerror());
    return evp_aead_add(all, name, so) && evp_add(all, name, so);
}

/* Is name one of the patterns in the list? */
static int is_listed(const char *name, const char *list)
{
    char pattern[128];
    for (const char *at = list; at && *at;) {
        size_t len = strcspn(at, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)len, at);
        if (fnmatch(pattern, name, 0) == 0)
            return 1;
        at += len + (at[len] == ',');
    }
    return 0;
}

static size_t rows_of_group(const struct group *group, size_t key_len, struct row *rows, size_t n)
{
    static size_t lens[MAX_LENS];
    size_t aad_lens[16], keys[16];
    int mix = group->loop == LOOP_IMIX;
    const char *len_list = options.sizes && !mix ? options.sizes : options.quick ? group->quick_lens : group->lens;
    const char *key_list = !group->keys ? "1" : options.quick ? group->quick_keys : group->keys;
    size_t n_lens = parse_numbers(len_list, lens, MAX_LENS), n_keys = parse_numbers(key_list, keys, 16);
    size_t n_aad = parse_numbers(group->aad_lens ? group->aad_lens : "13", aad_lens, 16);
    for (size_t k = 0; k < n_keys; k++)
        for (size_t a = 0; a < n_aad; a++)
            for (size_t l = 0; l < n_lens; l++) {
                if (n == MAX_ROWS)
                    stop("more than %d rows", MAX_ROWS);
                rows[n++] = (struct row){group, key_len, lens[l], aad_lens[a], keys[k]};
            }
    return n;
}

/* The key sizes to measure: what was asked for, or the usual two as far as this build has them. */
static size_t choose_key_bits(size_t bits[3])
{
    const char *usual = VG_AES128 && VG_AES256 ? "128,256" : VG_AES128 ? "128" : VG_AES256 ? "256" : "192";
    size_t n = parse_numbers(options.key_bits ? options.key_bits : usual, bits, 3);
    for (size_t b = 0; b < n; b++)
        if (!((bits[b] == 128 && VG_AES128) || (bits[b] == 192 && VG_AES192) || (bits[b] == 256 && VG_AES256)))
            stop("--key-bits: this build has no keys of %zu bits", bits[b]);
    return n;
}

/* Every word of --group must name something. */
static void check_group_names(void)
{
    char word[128];
    for (const char *at = options.groups; at && *at;) {
        size_t len = strcspn(at, ","), found = 0;
        snprintf(word, sizeof word, "%.*s", (int)len, at);
        for (size_t g = 0; g < n_groups; g++)
            found += is_listed(groups[g].name, word) != 0;
        if (!found)
            stop("no such group: %s", word);
        at += len + (at[len] == ',');
    }
}

static size_t choose_rows(struct row *rows)
{
    check_group_names();
    size_t bits[3], n_bits = choose_key_bits(bits), n = 0;
    for (size_t b = 0; b < n_bits; b++) {
        for (size_t g = 0; g < n_groups; g++)
            if (options.groups ? is_listed(groups[g].name, options.groups) : !groups[g].on_request)
                n = rows_of_group(&groups[g], bits[b] / 8, rows, n);
    }
    if (!n)
        stop("nothing to measure");
    return n;
}

static void pin(void)
{
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof allowed, &allowed))
        stop("cannot read the processor affinity: %s", strerror(errno));
    if (options.cpu == SIZE_MAX)
        for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, &allowed))
                options.cpu = cpu;
    CPU_ZERO(&one);
    CPU_SET(options.cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one))
        stop("cannot pin to CPU %zu: %s", options.cpu, strerror(errno));
}

/* Drop candidates that were not asked for or give wrong results. Returns how many were wrong. */
static int keep_good(struct candidates *all)
{
    size_t bits[3], n_bits = choose_key_bits(bits), kept = 0;
    int n_wrong = 0;
    const struct candidate *first = &all->list[0];
    static struct candidate reference;
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->list[i].name, "portable") == 0)
            first = &all->list[i];
    reference = *first;
    for (size_t i = 0; i < all->n; i++) {
        const struct candidate *c = &all->list[i];
        const char *wrong = NULL;
        if (!is_listed(c->name, options.candidates))
            continue;
        for (size_t b = 0; b < n_bits && !wrong; b++)
            wrong = verify(c, &reference, bits[b] / 8);
        printf("{\"type\": \"candidate\", \"peer\": %s, \"context_len\": %zu, ", c->is_peer ? "true" : "false",
               c->loops->context_len);
        print_string("name", c->name);
        printf(", ");
        print_string("version", c->version);
        printf(", ");
        print_string("reference", reference.name);
        printf(", ");
        print_string("wrong", wrong ? wrong : "");
        printf("}\n");
        if (wrong) {
            n_wrong++;
            continue;
        }
        all->list[kept++] = *c;
    }
    all->n = kept;
    return n_wrong;
}

static int measure(struct candidates *all)
{
    static struct row rows[MAX_ROWS];
    size_t n_rows = choose_rows(rows);
    struct clocks clocks = clocks_find();
    options.timing.width_alone = core_width_alone(&clocks);
    printf("{\"type\": \"clock\", \"tsc_ghz\": %.6f, \"core_ghz\": %.4f, \"overhead_ticks\": %llu, \"cpu\": %zu}\n",
           clocks.tsc_hz / 1e9, core_hz(&clocks) / 1e9, (unsigned long long)clocks.overhead, options.cpu);
    int n_wrong = keep_good(all);
    if (!all->n)
        stop("no candidate is left: %s", options.candidates);
    fflush(stdout);
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    n_wrong += measure_rows(all, rows, n_rows, &options.timing, &clocks);
    getrusage(RUSAGE_SELF, &after);
    printf("{\"type\": \"end\", \"core_ghz\": %.4f, \"preempted\": %ld}\n", core_hz(&clocks) / 1e9,
           after.ru_nivcsw - before.ru_nivcsw);
    return n_wrong;
}

static void list(const struct candidates *all)
{
    puts("Groups:");
    for (size_t g = 0; g < n_groups; g++)
        printf("  %-18s%s%s\n", groups[g].name, groups[g].lens, groups[g].on_request ? "  (on request)" : "");
    puts("Candidates:");
    for (size_t i = 0; i < all->n; i++)
        printf("  %-28s%s\n", all->list[i].name, all->list[i].version);
}

static size_t number(const char *text, size_t least, size_t most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || value < least || value > most)
        stop("%s: a number from %zu to %zu is wanted", text, least, most);
    return value;
}

static void add_peer(struct candidates *all, const char *argument)
{
    char name[64];
    const char *path = strchr(argument, '=');
    if (!path || path == argument || path[1] == '\0')
        stop("--peer: NAME=PATH.so is wanted, not %s", argument);
    snprintf(name, sizeof name, "%.*s", (int)(path - argument), argument);
    if (peer_add(all, name, path + 1))
        stop("--peer %s: it has neither EVP_AEAD nor EVP for AES-GCM", argument);
}

int main(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"group", 1, 0, 'g'},      {"sizes", 1, 0, 's'},    {"key-bits", 1, 0, 'k'},
        {"candidates", 1, 0, 'c'}, {"samples", 1, 0, 'n'},  {"passes", 1, 0, 'p'},
        {"cpu", 1, 0, 'u'},        {"batch-us", 1, 0, 'b'}, {"settle", 1, 0, 'r'},
        {"quick", 0, 0, 'q'},      {"list", 0, 0, 'l'},     {"stack", 0, 0, 't'},
        {"peer", 1, 0, 'e'},       {"ways", 0, 0, 'w'},     {0, 0, 0, 0},
    };
    static struct candidates all;
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    pin();
    ours_add(&all);
    ipsec_mb_add(&all);
    evp_add_debian(&all);
    gcrypt_add(&all);
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        switch (option) {
        case 'g':
            options.groups = optarg;
            break;
        case 's':
            options.sizes = optarg;
            break;
        case 'k':
            options.key_bits = optarg;
            break;
        case 'c':
            options.candidates = optarg;
            break;
        case 'n':
            options.timing.samples = number(optarg, 1, MAX_SAMPLES);
            break;
        case 'p':
            options.timing.passes = number(optarg, 1, 1000);
            break;
        case 'r':
            options.timing.settle = number(optarg, 0, 1000);
            break;
        case 'u':
            options.cpu = number(optarg, 0, CPU_SETSIZE - 1);
            break;
        case 'b':
            options.timing.batch_us = (double)number(optarg, 1, 1000000);
            break;
        case 'q':
            options.quick = 1;
            break;
        case 'l':
            options.list = 1;
            break;
        case 't':
            options.stack = 1;
            break;
        case 'w':
            ways_add(&all);
            break;
        case 'e':
            add_peer(&all, optarg);
            break;
        default:
            return 2;
        }
    }
    pin();
    printf("{\"type\": \"library\", \"context_len\": %zu, \"stream_len\": %zu, \"powers\": %d, ",
           sizeof(struct vg_aes_gcm), sizeof(struct vg_aes_gcm_stream), VG_POWERS);
    print_string("config", vg_config_string());
    printf("}\n");
    if (options.list)
        list(&all);
    else if (options.stack)
        stack_report(&all);
    else
        return measure(&all) ? 3 : 0;
    return 0;
}
