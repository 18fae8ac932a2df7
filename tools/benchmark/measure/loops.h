/* The loops over one library's calls. The file that includes this has defined
 *
 *   struct context, LOOPS (the name of the table), HAS_OPEN, HAS_PIECES, HAS_CHAIN, HAS_STREAM, HAS_BURST (0 or 1)
 *   set_key, clear_key, seal, and those of open, pieces, chain, stream, burst that it has: static inline, with the
 *   arguments of struct loops and a struct context *
 *
 * so that a loop holds the library's call itself and nothing stands between. Each combination is compiled once. */
#include "measure.h"

static inline struct context *context_at(const struct work *w, size_t i) { return (struct context *)w->contexts + i; }

static size_t loop_seal(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++)
        bad += seal(w->candidate, context_at(w, 0), w->nonces[w->step % NONCES], w->aad, w->aad_len, w->src, w->dst,
                    w->len, w->tags[0]) != 0;
    return bad;
}

#if HAS_OPEN
static size_t loop_open(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++)
        bad += open(w->candidate, context_at(w, 0), w->nonces[w->step % OPEN_NONCES], w->aad, w->aad_len, w->src,
                    w->dst, w->len, w->tags[w->step % (2 * OPEN_NONCES)]) != 0;
    return bad;
}
#endif

static size_t loop_fresh(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++) {
        bad += set_key(w->candidate, context_at(w, 0), w->keys[w->step % FRESH_KEYS], w->key_len, 0) != 0;
        bad += seal(w->candidate, context_at(w, 0), w->nonces[w->step % NONCES], w->aad, w->aad_len, w->src, w->dst,
                    w->len, w->tags[0]) != 0;
    }
    return bad;
}

static size_t loop_many(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++)
        bad += seal(w->candidate, context_at(w, w->order[w->step & w->order_mask]), w->nonces[w->step % NONCES], w->aad,
                    w->aad_len, w->src, w->dst, w->len, w->tags[0]) != 0;
    return bad;
}

/* The nonce is the last tag, so that a call cannot begin before the last one has ended. */
static size_t loop_serial(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++)
        bad += seal(w->candidate, context_at(w, 0), w->tags[w->step % 2], w->aad, w->aad_len, w->src, w->dst, w->len,
                    w->tags[1 - w->step % 2]) != 0;
    return bad;
}

static size_t loop_imix(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++)
        bad += seal(w->candidate, context_at(w, 0), w->nonces[w->step % NONCES], w->aad, w->aad_len, w->src, w->dst,
                    w->lengths[w->step % LENGTHS], w->tags[0]) != 0;
    return bad;
}

#if HAS_PIECES
static size_t loop_pieces(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++)
        bad += pieces(w->candidate, context_at(w, 0), w->nonces[w->step % NONCES], w->aad, w->aad_len, w->slices,
                      w->n_slices, w->dst, w->len, w->tags[0]) != 0;
    return bad;
}

static size_t loop_fresh_pieces(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++) {
        bad += set_key(w->candidate, context_at(w, 0), w->keys[w->step % FRESH_KEYS], w->key_len, 0) != 0;
        bad += pieces(w->candidate, context_at(w, 0), w->nonces[w->step % NONCES], w->aad, w->aad_len, w->slices,
                      w->n_slices, w->dst, w->len, w->tags[0]) != 0;
    }
    return bad;
}
#endif

#if HAS_CHAIN
static size_t loop_chain(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++)
        bad += chain(w->candidate, context_at(w, 0), w->nonces[w->step % NONCES], w->aad, w->aad_len, w->segments,
                     w->n_slices, w->tags[0]) != 0;
    return bad;
}
#endif

#if HAS_STREAM
static size_t loop_stream(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++)
        bad += stream(w->candidate, context_at(w, 0), w->nonces[w->step % NONCES], w->aad, w->aad_len, w->dst, w->len,
                      w->piece, w->tags[0]) != 0;
    return bad;
}
#endif

#if !HAS_BURST
/* A library without such a call gets a loop over the packets, which is what its user would write. */
static inline int burst(const struct candidate *c, struct vg_packet *packets, size_t n)
{
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
        struct vg_packet *p = packets + i;
        bad |=
            seal(c, (struct context *)(uintptr_t)p->gcm, p->nonce, p->aad, p->aad_len, p->src, p->dst, p->len, p->tag);
    }
    return bad;
}
#endif

/* Calls count packets, so that all loops report the time of one message. */
static size_t loop_burst(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step += BURST)
        bad += burst(w->candidate, w->packets, BURST) != 0;
    return bad;
}

static int set_key_once(const struct candidate *c, void *context, const uint8_t *key, size_t key_len, int for_open)
{
    return set_key(c, context, key, key_len, for_open);
}

static void clear_key_once(const struct candidate *c, void *context) { clear_key(c, context); }

static int seal_once(const struct candidate *c, void *context, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                     const uint8_t *src, uint8_t *dst, size_t len, uint8_t *tag)
{
    return seal(c, context, nonce, aad, aad_len, src, dst, len, tag);
}

#if HAS_OPEN
static int open_once(const struct candidate *c, void *context, const uint8_t *nonce, const uint8_t *aad, size_t aad_len,
                     const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag)
{
    return open(c, context, nonce, aad, aad_len, src, dst, len, tag);
}
#endif

#if HAS_PIECES
static int pieces_once(const struct candidate *c, void *context, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const struct vg_slice *slices, size_t n, uint8_t *dst, size_t len, uint8_t *tag)
{
    return pieces(c, context, nonce, aad, aad_len, slices, n, dst, len, tag);
}
#endif

#if HAS_CHAIN
static int chain_once(const struct candidate *c, void *context, const uint8_t *nonce, const uint8_t *aad,
                      size_t aad_len, const struct vg_segment *segments, size_t n, uint8_t *tag)
{
    return chain(c, context, nonce, aad, aad_len, segments, n, tag);
}
#endif

#if HAS_STREAM
static int stream_once(const struct candidate *c, void *context, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, uint8_t *text, size_t len, size_t piece, uint8_t *tag)
{
    return stream(c, context, nonce, aad, aad_len, text, len, piece, tag);
}
#endif

static int burst_once(const struct candidate *c, struct vg_packet *packets, size_t n) { return burst(c, packets, n); }

static const struct loops LOOPS = {
    .context_len = sizeof(struct context),
    .set_key = set_key_once,
    .clear_key = clear_key_once,
    .seal = seal_once,
#if HAS_OPEN
    .open = open_once,
    .loop[LOOP_OPEN] = loop_open,
#endif
#if HAS_PIECES
    .pieces = pieces_once,
    .loop[LOOP_PIECES] = loop_pieces,
    .loop[LOOP_FRESH_PIECES] = loop_fresh_pieces,
#endif
#if HAS_CHAIN
    .chain = chain_once,
    .loop[LOOP_CHAIN] = loop_chain,
#endif
#if HAS_STREAM
    .stream = stream_once,
    .loop[LOOP_STREAM] = loop_stream,
#endif
    .burst = burst_once,
    .loop[LOOP_SEAL] = loop_seal,
    .loop[LOOP_FRESH] = loop_fresh,
    .loop[LOOP_MANY] = loop_many,
    .loop[LOOP_BURST] = loop_burst,
    .loop[LOOP_SERIAL] = loop_serial,
    .loop[LOOP_IMIX] = loop_imix,
};
