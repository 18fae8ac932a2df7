/* The table of groups, and the work that a row of one of them means. */
#include "groups.h"
#include <stdlib.h>
#include <string.h>

#define SIZES       "16,64,128,256,384,512,1024,1500,4096,16384"
#define LONG_SIZES  SIZES ",65536,1048576"
#define QUICK_SIZES "16,64,256,1024,1500,16384"

const struct group groups[] = {
    {.name = "seal", .loop = LOOP_SEAL, .in_place = 1, .lens = LONG_SIZES, .quick_lens = QUICK_SIZES},
    {.name = "open", .loop = LOOP_OPEN, .in_place = 1, .lens = LONG_SIZES, .quick_lens = QUICK_SIZES},
    {.name = "seal-to", .loop = LOOP_SEAL, .lens = LONG_SIZES, .quick_lens = QUICK_SIZES},
    {.name = "open-to", .loop = LOOP_OPEN, .lens = LONG_SIZES, .quick_lens = QUICK_SIZES},
    {.name = "fresh-key", .loop = LOOP_FRESH, .in_place = 1, .lens = SIZES, .quick_lens = QUICK_SIZES},
    {.name = "record", .loop = LOOP_PIECES, .lens = SIZES, .quick_lens = QUICK_SIZES, .slices = RECORD},
    {.name = "record-fresh-key", .loop = LOOP_FRESH_PIECES, .lens = SIZES, .quick_lens = QUICK_SIZES, .slices = RECORD},
    {.name = "halves", .loop = LOOP_PIECES, .lens = SIZES, .quick_lens = QUICK_SIZES, .slices = 2},
    {.name = "five-pieces", .loop = LOOP_PIECES, .lens = SIZES, .quick_lens = QUICK_SIZES, .slices = MAX_SLICES},
    {.name = "chain",
     .loop = LOOP_CHAIN,
     .in_place = 1,
     .lens = SIZES,
     .quick_lens = QUICK_SIZES,
     .slices = MAX_SLICES},
    {.name = "stream-64",
     .loop = LOOP_STREAM,
     .in_place = 1,
     .lens = LONG_SIZES,
     .quick_lens = "64,1500,16384",
     .piece = 64},
    {.name = "stream-1460",
     .loop = LOOP_STREAM,
     .in_place = 1,
     .lens = "1460,4096,16384,65536,1048576",
     .quick_lens = "16384",
     .piece = 1460},
    {.name = "many-keys",
     .loop = LOOP_MANY,
     .in_place = 1,
     .lens = "64,1420",
     .quick_lens = "64,1420",
     .keys = "1,1024,8192,65536",
     .quick_keys = "1,8192"},
    {.name = "burst",
     .loop = LOOP_BURST,
     .in_place = 1,
     .lens = "64,256,512,1024,1500",
     .quick_lens = "64,256,1500",
     .keys = "32",
     .quick_keys = "32"},
    {.name = "serialised", .loop = LOOP_SERIAL, .in_place = 1, .lens = SIZES, .quick_lens = QUICK_SIZES},
    {.name = "imix", .loop = LOOP_IMIX, .in_place = 1, .lens = "348", .quick_lens = "348"},
    {.name = "aad",
     .loop = LOOP_SEAL,
     .in_place = 1,
     .lens = "64,1420",
     .quick_lens = "64",
     .aad_lens = "0,8,13,20,28,64"},
    {.name = "cliffs", .loop = LOOP_SEAL, .in_place = 1, .on_request = 1, .lens = "0-2048", .quick_lens = "0-2048:16"},
    {.name = "cliffs-open",
     .loop = LOOP_OPEN,
     .in_place = 1,
     .on_request = 1,
     .lens = "0-2048",
     .quick_lens = "0-2048:16"},
};
const size_t n_groups = sizeof groups / sizeof *groups;

size_t parse_numbers(const char *list, size_t *out, size_t max)
{
    size_t n = 0;
    for (const char *at = list; *at;) {
        char *end;
        size_t first = strtoul(at, &end, 10), last = first, step = 1;
        if (end == at)
            stop("not a list of numbers: %s", list);
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        if (*end == ':')
            step = strtoul(end + 1, &end, 10);
        if ((*end && *end != ',') || last < first || !step)
            stop("not a list of numbers: %s", list);
        for (size_t value = first; value <= last; value += step) {
            if (n == max)
                stop("more than %zu numbers: %s", max, list);
            out[n++] = value;
        }
        at = *end ? end + 1 : end;
    }
    return n;
}

/* Many keys are walked far enough in a sample to meet what is and what is not in the caches. */
size_t row_unit(const struct row *row)
{
    if (row->group->loop == LOOP_IMIX)
        return LENGTHS;
    if (row->group->loop == LOOP_BURST)
        return BURST;
    if (row->group->loop == LOOP_MANY)
        return row->keys < 1024 ? row->keys : 1024;
    return 1;
}

/* 7 : 4 : 1 packets of 64, 576 and 1,420 bytes, in an order without a pattern. */
static const uint32_t *mixed_lengths(void)
{
    static uint32_t lengths[LENGTHS];
    uint32_t junk[LENGTHS];
    for (int i = 0; i < LENGTHS; i++)
        lengths[i] = i % 12 < 7 ? 64 : i % 12 < 11 ? 576 : 1420;
    fill_junk(junk, sizeof junk, 7);
    for (uint32_t i = LENGTHS - 1; i; i--) {
        uint32_t j = junk[i] % (i + 1), swapped = lengths[i];
        lengths[i] = lengths[j];
        lengths[j] = swapped;
    }
    return lengths;
}

static uint32_t *random_order(size_t n)
{
    uint32_t *order = allocate(n * sizeof *order), *junk = allocate(n * sizeof *junk);
    fill_junk(junk, n * sizeof *junk, 9);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = n - 1; i; i--) {
        size_t j = junk[i] % (i + 1);
        uint32_t swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
    free(junk);
    return order;
}

/* Pieces lie apart from each other in src. */
static void cut(struct work *w, const struct row *row)
{
    size_t n = row->group->slices == RECORD ? 2 : (size_t)row->group->slices;
    size_t each = row->group->slices == RECORD ? row->len : row->len / n;
    w->len = row->group->slices == RECORD ? row->len + 1 : row->len;
    w->n_slices = n;
    for (size_t i = 0, at = 0; i < n; i++, at += each) {
        w->slices[i].data = w->src + at + 64 * i;
        w->slices[i].len = i < n - 1 ? each : w->len - at;
        w->segments[i] = (struct vg_segment){w->dst + at + 64 * i, w->dst + at + 64 * i, w->slices[i].len};
    }
}

/* Opening in place turns a text into another one, which is the ciphertext of the next call: with 8 nonces in turn, the
 * 16th call ends where the first began. tags[i] is the tag of what the text is before call i. Sealing twice with one
 * nonce gives a text back, and its tag. */
static int find_tags(struct work *w)
{
    const struct candidate *c = w->candidate;
    void *sealer = allocate(c->loops->context_len);
    uint8_t *state = allocate(w->len), *scratch = allocate(w->len), unused[16];
    int bad = c->loops->set_key(c, sealer, w->keys[0], w->key_len, 0);
    memcpy(state, w->src, w->len);
    for (size_t i = 0; i < 2 * OPEN_NONCES; i++) {
        const uint8_t *nonce = w->nonces[i % OPEN_NONCES];
        memcpy(scratch, state, w->len);
        bad |= c->loops->seal(c, sealer, nonce, w->aad, w->aad_len, scratch, scratch, w->len, unused);
        uint8_t *next = w->src == w->dst ? state : scratch;
        memcpy(next, scratch, w->len);
        bad |= c->loops->seal(c, sealer, nonce, w->aad, w->aad_len, scratch, scratch, w->len, w->tags[i]);
    }
    c->loops->clear_key(c, sealer);
    free(sealer);
    free(state);
    free(scratch);
    return bad;
}

static void fill_packets(struct work *w)
{
    size_t stride = (w->len + 63) / 64 * 64;
    w->packets = allocate(BURST * sizeof *w->packets);
    for (size_t i = 0; i < BURST; i++)
        w->packets[i] = (struct vg_packet){
            .gcm = (const struct vg_aes_gcm *)(const void *)(w->contexts + i * w->candidate->loops->context_len),
            .nonce = w->nonces[i],
            .aad = w->aad,
            .aad_len = w->aad_len,
            .src = w->dst + i * stride,
            .dst = w->dst + i * stride,
            .len = w->len,
            .tag = w->tags[i],
        };
}

int work_begin(struct work *w, const struct candidate *c, const struct row *row)
{
    size_t longest = row->group->loop == LOOP_IMIX ? 1420 : row->len;
    size_t texts = row->group->loop == LOOP_BURST ? BURST : 1;
    size_t room = (longest + 64 * (MAX_SLICES + 2)) * texts;
    *w = (struct work){
        .candidate = c,
        .n_contexts = row->keys,
        .key_len = row->key_len,
        .nonces = allocate(NONCES * sizeof *w->nonces),
        .tags = allocate(NONCES * sizeof *w->tags),
        .aad = allocate(row->aad_len + 1),
        .aad_len = row->aad_len,
        .src = allocate(room),
        .len = row->len,
        .piece = row->group->piece,
    };
    w->order_mask = w->n_contexts - 1;
    w->order = random_order(w->n_contexts);
    w->lengths = mixed_lengths();
    w->dst = row->group->in_place ? w->src : allocate(room);
    fill_junk(w->nonces, NONCES * sizeof *w->nonces, 1);
    fill_junk((void *)(uintptr_t)w->aad, w->aad_len, 2);
    fill_junk(w->src, room, 3);
    size_t n_keys = w->n_contexts > FRESH_KEYS ? w->n_contexts : FRESH_KEYS;
    uint8_t(*keys)[KEY_ROOM] = allocate(n_keys * KEY_ROOM);
    fill_junk(keys, n_keys * KEY_ROOM, 4);
    w->keys = (const uint8_t(*)[KEY_ROOM])keys;
    if (row->group->slices)
        cut(w, row);
    int for_open = row->group->loop == LOOP_OPEN, bad = 0;
    w->contexts = allocate(w->n_contexts * c->loops->context_len);
    for (size_t i = 0; i < w->n_contexts; i++)
        bad |= c->loops->set_key(c, w->contexts + i * c->loops->context_len, w->keys[i], w->key_len, for_open);
    if (!bad && for_open)
        bad = find_tags(w);
    if (row->group->loop == LOOP_BURST)
        fill_packets(w);
    return bad;
}

void work_end(struct work *w)
{
    for (size_t i = 0; i < w->n_contexts; i++)
        w->candidate->loops->clear_key(w->candidate, w->contexts + i * w->candidate->loops->context_len);
    free(w->contexts);
    free((void *)(uintptr_t)w->keys);
    free((void *)(uintptr_t)w->aad);
    free((void *)(uintptr_t)w->order);
    if (w->dst != w->src)
        free(w->dst);
    free(w->src);
    free(w->nonces);
    free(w->tags);
    free(w->packets);
}
