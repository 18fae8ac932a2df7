/* Our candidates, each in every way in which it can seal a text in slices: what thresholds choose between. */
#include "own_key.h"
#include <slices.h>
#include <stdio.h>
#include <string.h>

enum { WHOLE = VG_WAY_STREAM + 1, WAYS };

static const char *const name_of_way[WAYS] = {
    [VG_WAY_COPY] = "copy",
    [VG_WAY_SPLIT] = "split",
    [VG_WAY_STREAM] = "stream",
    [WHOLE] = "whole",
};

#define LOOPS      ways_loops
#define HAS_OPEN   0
#define HAS_PIECES (VG_GATHER || VG_SPLIT)
#define HAS_CHAIN  0
#define HAS_STREAM 0
#define HAS_BURST  0

static inline int seal(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t *tag)
{
    (void)c;
    return vg_aes_gcm_seal_to(&k->gcm, nonce, 12, aad, aad_len, src, dst, len, tag);
}

#if HAS_PIECES
/* What cannot be split is copied, as it is where thresholds choose. */
static inline int pieces(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                         size_t aad_len, const struct vg_slice *slices, size_t n, uint8_t *dst, size_t len,
                         uint8_t *tag)
{
    return vg_seal_slices(&k->gcm, nonce, aad, aad_len, slices, dst, len, tag, 12, n, (enum vg_way)c->way) != VG_OK;
}
#endif

#include "loops.h"

/* The text in one piece, in place of every group that cuts it. */
static size_t loop_whole(struct work *w, size_t calls)
{
    size_t bad = 0;
    for (size_t end = w->step + calls; w->step < end; w->step++)
        bad += vg_aes_gcm_seal(&context_at(w, 0)->gcm, w->nonces[w->step % NONCES], 12, w->aad, w->aad_len, w->dst,
                               w->len, w->tags[0]) != 0;
    return bad;
}

static const struct loops whole_loops = {
    .context_len = sizeof(struct context),
    .set_key = set_key_once,
    .clear_key = clear_key_once,
    .seal = seal_once,
    .burst = burst_once,
    .loop = {[LOOP_PIECES] = loop_whole, [LOOP_CHAIN] = loop_whole, [LOOP_STREAM] = loop_whole},
};

void ways_add(struct candidates *all)
{
    size_t ours = 0;
    while (ours < all->n && !all->list[ours].is_peer)
        ours++;
    for (size_t i = 0; i < ours; i++)
        for (int way = 0; way < WAYS; way++) {
            if (way != WHOLE && !(VG_GATHER || VG_SPLIT))
                continue;
            char name[64];
            snprintf(name, sizeof name, "%.50s:%s", all->list[i].name, name_of_way[way]);
            struct candidate *c = candidate_new(all, name, way == WHOLE ? &whole_loops : &ways_loops);
            c->variant = all->list[i].variant;
            c->prepared = all->list[i].prepared;
            c->way = way;
        }
}
