/* How deep the stack gets: every entry point runs on a stack of its own that was painted before, in every variant, with
 * nonces of 12 and of 16 bytes, and over lengths that reach all paths. Memory that a function reserves below all that
 * it writes is not seen. */
#include "measure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 1 << 16, LONGEST = 20000, AAD = 20 };

struct call {
    struct vg_aes_gcm *gcm;
    uint8_t *src, *dst;
    size_t len, nonce_len;
    uint8_t nonce[16], aad[AAD], tag[16];
};

static void nothing(struct call *c) { (void)c; }

static void seal(struct call *c)
{
    vg_aes_gcm_seal(c->gcm, c->nonce, c->nonce_len, c->aad, AAD, c->dst, c->len, c->tag);
}

static void seal_to(struct call *c)
{
    vg_aes_gcm_seal_to(c->gcm, c->nonce, c->nonce_len, c->aad, AAD, c->src, c->dst, c->len, c->tag);
}

#if VG_OPEN
/* The tag is wrong, so that the ways back run too. */
static void open(struct call *c)
{
    (void)vg_aes_gcm_open(c->gcm, c->nonce, c->nonce_len, c->aad, AAD, c->dst, c->len, c->tag, 16);
}

static void open_to(struct call *c)
{
    (void)vg_aes_gcm_open_to(c->gcm, c->nonce, c->nonce_len, c->aad, AAD, c->src, c->dst, c->len, c->tag, 16);
}
#endif

#if VG_GATHER
static void seal_gather(struct call *c)
{
    static struct vg_slice slices[2];
    slices[0] = (struct vg_slice){c->src, c->len / 2};
    slices[1] = (struct vg_slice){c->src + c->len / 2, c->len - c->len / 2};
    vg_aes_gcm_seal_gather(c->gcm, c->nonce, c->nonce_len, c->aad, AAD, slices, 2, c->dst, c->len, c->tag);
}
#endif

#if VG_SPLIT
static void seal_split(struct call *c)
{
    vg_aes_gcm_seal_split(c->gcm, c->nonce, c->nonce_len, c->aad, AAD, c->src, c->len / 2, c->dst, c->len, c->tag);
}
#endif

#if VG_CHAIN
static void cut(struct call *c, struct vg_segment segments[2])
{
    size_t first = c->len / 3;
    segments[0] = (struct vg_segment){c->src, c->dst, first};
    segments[1] = (struct vg_segment){c->src + first, c->dst + first, c->len - first};
}

static void seal_chain(struct call *c)
{
    static struct vg_segment segments[2];
    cut(c, segments);
    vg_aes_gcm_seal_chain(c->gcm, c->nonce, c->nonce_len, c->aad, AAD, segments, 2, c->tag);
}

#if VG_OPEN
static void open_chain(struct call *c)
{
    static struct vg_segment segments[2];
    cut(c, segments);
    (void)vg_aes_gcm_open_chain(c->gcm, c->nonce, c->nonce_len, c->aad, AAD, segments, 2, c->tag, 16);
}
#endif
#endif

#if VG_BURST
static void packets(struct call *c, struct vg_packet packet[2])
{
    for (int i = 0; i < 2; i++)
        packet[i] = (struct vg_packet){c->gcm, c->nonce, c->aad, AAD, c->src, c->dst, c->len, c->tag, VG_OK};
}

static void seal_burst(struct call *c)
{
    static struct vg_packet packet[2];
    packets(c, packet);
    vg_aes_gcm_seal_burst(packet, 2);
}

#if VG_OPEN
static void open_burst(struct call *c)
{
    static struct vg_packet packet[2];
    packets(c, packet);
    vg_aes_gcm_open_burst(packet, 2);
}
#endif
#endif

#if VG_STREAM
/* The stream itself lies outside the stack that is looked at. */
static void stream(struct call *c)
{
    static struct vg_aes_gcm_stream s;
    vg_aes_gcm_stream_init(&s, c->gcm, c->nonce, c->nonce_len);
    vg_aes_gcm_stream_aad(&s, c->aad, AAD);
    vg_aes_gcm_stream_encrypt(&s, c->dst, c->len / 3);
    vg_aes_gcm_stream_encrypt_to(&s, c->src, c->dst, c->len - c->len / 3);
    vg_aes_gcm_stream_finish(&s, c->tag);
#if VG_OPEN
    vg_aes_gcm_stream_init(&s, c->gcm, c->nonce, c->nonce_len);
    vg_aes_gcm_stream_decrypt(&s, c->dst, c->len);
    (void)vg_aes_gcm_stream_verify(&s, c->tag, 16);
#endif
}
#endif

static const struct {
    const char *name;
    void (*call)(struct call *c);
} entries[] = {
    {"seal", seal},
    {"seal_to", seal_to},
#if VG_OPEN
    {"open", open},
    {"open_to", open_to},
#endif
#if VG_GATHER
    {"seal_gather", seal_gather},
#endif
#if VG_SPLIT
    {"seal_split", seal_split},
#endif
#if VG_CHAIN
    {"seal_chain", seal_chain},
#if VG_OPEN
    {"open_chain", open_chain},
#endif
#endif
#if VG_BURST
    {"seal_burst", seal_burst},
#if VG_OPEN
    {"open_burst", open_burst},
#endif
#endif
#if VG_STREAM
    {"stream", stream},
#endif
};

static struct {
    void (*call)(struct call *c);
    struct call *argument;
} next;
static const struct candidate *next_key;
static ucontext_t back, aside;

static void run_next(void) { next.call(next.argument); }

static size_t depth(uint8_t *stack, int paint)
{
    size_t untouched = 0;
    memset(stack, paint, STACK);
    getcontext(&aside);
    aside.uc_stack.ss_sp = stack;
    aside.uc_stack.ss_size = STACK;
    aside.uc_link = &back;
    makecontext(&aside, run_next, 0);
    swapcontext(&back, &aside);
    while (untouched < STACK && stack[untouched] == (uint8_t)paint)
        untouched++;
    return STACK - untouched;
}

/* Bytes below the frame that makes the call, two colours of paint against written bytes that look like paint. */
static size_t deepest(uint8_t *stack, void (*call)(struct call *), struct call *argument)
{
    size_t most = 0, least;
    next.call = nothing;
    next.argument = argument;
    least = depth(stack, 0xa5);
    next.call = call;
    for (int paint = 0x5a; paint < 0x100; paint += 0x4b) {
        size_t bytes = depth(stack, paint);
        most = bytes > most ? bytes : most;
    }
    return most > least ? most - least : 0;
}

static void set_key(struct call *c)
{
    static const uint8_t key[32] = {1, 2, 3};
    (void)next_key->loops->set_key(next_key, c->gcm, key, VG_AES256 ? 32 : VG_AES192 ? 24 : 16, 0);
}

static void print(const struct candidate *c, const char *entry, size_t bytes)
{
    printf("{\"type\": \"stack\", \"candidate\": \"%s\", \"entry\": \"%s\", \"bytes\": %zu}\n", c->name, entry, bytes);
}

void stack_report(const struct candidates *all)
{
    uint8_t *stack = allocate(STACK);
    struct call c = {.gcm = allocate(sizeof *c.gcm), .src = allocate(LONGEST), .dst = allocate(LONGEST)};
    for (size_t i = 0; i < all->n; i++) {
        if (all->list[i].is_peer)
            continue;
        next_key = &all->list[i];
        print(next_key, "key set-up", deepest(stack, set_key, &c));
        for (size_t e = 0; e < sizeof entries / sizeof *entries; e++) {
            size_t most = 0;
            for (c.nonce_len = 12; c.nonce_len <= 16; c.nonce_len += VG_ANY_NONCE ? 4 : 8)
                for (c.len = 0; c.len < LONGEST; c.len += c.len / 8 + 5) {
                    size_t bytes = deepest(stack, entries[e].call, &c);
                    most = bytes > most ? bytes : most;
                }
            print(next_key, entries[e].name, most);
        }
    }
    free(c.gcm);
    free(c.src);
    free(c.dst);
    free(stack);
}
