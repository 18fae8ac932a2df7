/* What the parts of the measuring program share: candidates, the work that they are given, clocks. */
#ifndef VG_MEASURE_H
#define VG_MEASURE_H

#include <stddef.h>
#include <stdint.h>
#include <vg/vg.h>

enum {
    MAX_CANDIDATES = 128,
    NONCES = 64,     /* nonces in turn, written before the clock runs */
    OPEN_NONCES = 8, /* fewer for open: each costs two tags */
    FRESH_KEYS = 64,
    KEY_ROOM = 32,
    BURST = 32,
    LENGTHS = 48, /* lengths of an IMIX in turn */
    MAX_SLICES = 5,
};

/* A loop over one kind of call. A candidate that has no such call leaves it out. */
enum loop {
    LOOP_SEAL,
    LOOP_OPEN,
    LOOP_FRESH,
    LOOP_PIECES,
    LOOP_FRESH_PIECES,
    LOOP_CHAIN,
    LOOP_STREAM,
    LOOP_MANY,
    LOOP_BURST,
    LOOP_SERIAL,
    LOOP_IMIX,
    LOOP_COUNT,
};

struct candidate;

/* What the loops run on. Every candidate has its own, with the same contents. */
struct work {
    const struct candidate *candidate;
    uint8_t *contexts;
    size_t n_contexts, key_len;
    const uint8_t (*keys)[KEY_ROOM];
    uint8_t (*nonces)[16];
    uint8_t (*tags)[16];
    const uint8_t *aad;
    size_t aad_len;
    uint8_t *src, *dst; /* the same for work in place */
    size_t len, piece;
    struct vg_slice slices[MAX_SLICES];
    struct vg_segment segments[MAX_SLICES]; /* the same text in dst, in place */
    size_t n_slices;
    const uint32_t *order; /* which key is next; order_mask + 1 of them, a power of two */
    size_t order_mask;
    const uint32_t *lengths;
    struct vg_packet *packets;
    size_t step; /* calls so far */
};

/* What a library does, written once per library by loops.h. Calls return 0 if they did what they should.
 * loop[] runs so many calls and returns how many did not. */
struct loops {
    size_t context_len;
    int (*set_key)(const struct candidate *c, void *context, const uint8_t *key, size_t key_len, int open);
    void (*clear_key)(const struct candidate *c, void *context);
    int (*seal)(const struct candidate *c, void *context, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                const uint8_t *src, uint8_t *dst, size_t len, uint8_t *tag);
    int (*open)(const struct candidate *c, void *context, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag);
    int (*pieces)(const struct candidate *c, void *context, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                  const struct vg_slice *slices, size_t n, uint8_t *dst, size_t len, uint8_t *tag);
    int (*chain)(const struct candidate *c, void *context, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                 const struct vg_segment *segments, size_t n, uint8_t *tag);
    int (*stream)(const struct candidate *c, void *context, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                  uint8_t *text, size_t len, size_t piece, uint8_t *tag);
    int (*burst)(const struct candidate *c, struct vg_packet *packets, size_t n);
    size_t (*loop[LOOP_COUNT])(struct work *work, size_t calls);
};

/* One way to do the work: a variant in one form, or a library of others. */
struct candidate {
    char name[64];
    char version[96];
    const struct loops *loops;
    void *library;
    uint32_t variant;
    int prepared, way, is_peer;
};

struct candidates {
    struct candidate list[MAX_CANDIDATES];
    size_t n;
};

/* Add what there is. A peer that is not there is reported in one line. */
void ours_add(struct candidates *all);
/* --ways: each of our candidates once more for each way in which it can seal a text in slices, whatever the thresholds
 * say, and as "whole", which is the same text in one piece. */
void ways_add(struct candidates *all);
void ipsec_mb_add(struct candidates *all);
void evp_add_debian(struct candidates *all);
void gcrypt_add(struct candidates *all);
/* --peer: 0 if path could be loaded and has one of the two interfaces. */
int peer_add(struct candidates *all, const char *name, const char *path);

/* A new candidate, or the end of the program if there are too many. */
struct candidate *candidate_new(struct candidates *all, const char *name, const struct loops *loops);

/* NULL if c does with keys of key_len bytes what reference does and refuses forgeries, else what is wrong. */
const char *verify(const struct candidate *c, const struct candidate *reference, size_t key_len);

/* Junk that is the same in every run. */
void fill_junk(void *p, size_t len, uint64_t seed);
/* Memory on a page of its own, or the end of the program. Contents are zero. */
void *allocate(size_t len);
__attribute__((noreturn, format(printf, 1, 2))) void stop(const char *format, ...);

/* A user of a library without a call for pieces copies short ones together, and pays for several calls where copying
 * costs more. */
enum { COPY_UP_TO = 4096 };
void copy_together(const struct vg_slice *slices, size_t n, uint8_t *dst);

/* Lines of results. */
void report_text(const char *type, const char *about, const char *text);

/* Clocks. */
struct clocks {
    double tsc_hz;
    uint64_t overhead; /* TSC ticks of timing nothing */
};
struct clocks clocks_find(void);
double core_hz(const struct clocks *clocks);
/* Four chains of adds against one: how many the core does in a cycle. Fewer when a thread beside ours shares the core,
 * which no load average tells, least of all in a virtual machine. */
double core_width(const struct clocks *clocks);
/* The same on a core of our own: what it reaches in a tenth of all attempts over some time. */
double core_width_alone(const struct clocks *clocks);
static inline uint64_t tsc_begin(void)
{
    uint32_t low, high;
    __asm__ volatile("mfence\n\tlfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}
static inline uint64_t tsc_end(void)
{
    uint32_t low, high, core;
    __asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(core) : : "memory");
    return (uint64_t)high << 32 | low;
}

/* Report the bytes of stack that each entry point touches in each variant. */
void stack_report(const struct candidates *all);

#endif
