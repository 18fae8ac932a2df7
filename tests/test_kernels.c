/* Does every operation of every variant do what the portable one does, and keep to its contract: registers, stack,
 * guard pages? The message calls go through the same checked calls. */
#include "harness/check.h"
#include "harness/checked_call.h"
#include "harness/guard.h"
#include "harness/message.h"
#include "harness/setups.h"
#include <internal.h>
#include <string.h>
#include <vg/vg.h>

enum { BLOCKS_MOST = 150, SLICES_MOST = 5 };

static struct guard slice_rooms[SLICES_MOST], src_room, dst_room, counter_room, y_room, run_room, gcm_room;
static struct setup setups[SETUPS_MAX];
static size_t setups_count;
#if VG_SPLIT || VG_GATHER
static size_t tried_slices;
#endif

static void begin(void)
{
    src_room = guard_new(16 * BLOCKS_MOST + 64);
    dst_room = guard_new(16 * BLOCKS_MOST + 64);
    for (size_t i = 0; i < SLICES_MOST; i++)
        slice_rooms[i] = guard_new(16 * BLOCKS_MOST + 64);
    counter_room = guard_new(16 + 64);
    y_room = guard_new(16 + 64);
    run_room = guard_new(sizeof(struct vg_run) + 64);
    gcm_room = guard_new(sizeof(struct vg_aes_gcm));
    setups_count = setups_find(setups);
    cr_assert(setups_count > 0);
}

/* A key of the variant to compare with: the last of the table, which is the portable one unless the build leaves it
 * out. */
static struct vg_aes_gcm reference_key(const uint8_t *key, size_t key_len)
{
    struct vg_aes_gcm gcm;
    const struct setup last = setups[setups_count - 1];
    setup_key(&last, &gcm, key, key_len);
    return gcm;
}

#define WHERE "%s of %s, key %zu, %zu blocks, turn %zu: %s"
#define VALUES(op, result)                                                                                             \
    op, setup->label, key_len, n, turn, (result).complaint ? (result).complaint : "the answer differs"

struct state {
    uint8_t counter[16], y[16], run[sizeof(struct vg_run)], text[16 * BLOCKS_MOST];
};

static struct state want;

/* Where an operation's arguments lie this time. */
struct places {
    uint8_t *counter, *y, *src, *dst;
};

static struct places lay_out(const struct state *in, size_t n, size_t turn)
{
    struct places p = {
        .counter = guard_place(&counter_room, 16, turn * 5 % 128),
        .y = guard_place(&y_room, 16, turn * 3 % 128),
        .src = guard_place(&src_room, 16 * n, turn % 128),
        .dst = turn % 3 ? guard_place(&dst_room, 16 * n, turn * 7 % 128) : NULL,
    };
    if (!p.dst)
        p.dst = p.src;
    memcpy(p.counter, in->counter, 16);
    memcpy(p.y, in->y, 16);
    memcpy(p.src, in->text, 16 * n);
    return p;
}

static int is_wanted(const struct places *p, size_t n)
{
    return !memcmp(p->counter, want.counter, 16) && !memcmp(p->y, want.y, 16) && !memcmp(p->dst, want.text, 16 * n) &&
           guard_intact(&counter_room, p->counter, 16) && guard_intact(&y_room, p->y, 16) &&
           guard_intact(p->dst == p->src ? &src_room : &dst_room, p->dst, 16 * n);
}

static void take_away(const struct places *p, size_t n)
{
    memset(p->counter, GUARD_FILL, 16);
    memset(p->y, GUARD_FILL, 16);
    memset(p->src, GUARD_FILL, 16 * n);
    memset(p->dst, GUARD_FILL, 16 * n);
}

static void try_run(const struct setup *setup, const struct vg_aes_gcm *gcm, const struct vg_aes_gcm *other,
                    const struct state *in, size_t key_len, size_t n, size_t turn, uint32_t flags)
{
    struct places p = lay_out(in, n, turn);
    struct vg_run *run = (struct vg_run *)(void *)guard_place(&run_room, sizeof *run, turn * 16 % 128), wanted;
    memcpy(run, in->run, sizeof *run);
    memcpy(&wanted, in->run, sizeof wanted);
    want = *in;
    VG_CALL_FORM(other, crypt_run)(other, &wanted, want.text, want.text, n, flags);
    struct checked_result result = CHECKED_CALL(VG_CALL_FORM(gcm, crypt_run), gcm, run, p.src, p.dst, n, flags);
    int same = !memcmp(run->counter, wanted.counter, 16) && !memcmp(run->y, wanted.y, 16) &&
               !memcmp(run->block, wanted.block, 16) && guard_intact(&run_room, (uint8_t *)run, sizeof *run);
    if (flags & VG_RUN_KEYSTREAM)
        same &= !memcmp(run->keystream, wanted.keystream, 16);
    CHECK(!result.complaint && same && is_wanted(&p, n), WHERE " (flags %u)", VALUES("crypt_run", result),
          (unsigned)flags);
    take_away(&p, n);
    memset(run, GUARD_FILL, sizeof *run);
}

static void try_operations(const struct setup *setup, const struct vg_aes_gcm *gcm, const struct vg_aes_gcm *other,
                           const struct state *in, size_t key_len, size_t n, size_t turn)
{
    struct checked_result result;
    struct places p = lay_out(in, n, turn);
    want = *in;
    VG_CALL(other, ctr32_to)(other, want.counter, want.text, want.text, n);
    result = CHECKED_CALL(VG_CALL(gcm, ctr32_to), gcm, p.counter, p.src, p.dst, n);
    CHECK(!result.complaint && is_wanted(&p, n), WHERE, VALUES("ctr32_to", result));
    take_away(&p, n);

    p = lay_out(in, n, turn + 1);
    want = *in;
    VG_CALL_FORM(other, ghash)(other, want.y, want.text, n);
    memcpy(p.dst, p.src, 16 * n);
    result = CHECKED_CALL(VG_CALL_FORM(gcm, ghash), gcm, p.y, p.src, n);
    CHECK(!result.complaint && is_wanted(&p, n), WHERE, VALUES("ghash", result));
    take_away(&p, n);

    for (uint32_t flags = 0; flags < 8; flags++)
        if (VG_OPEN || !(flags & VG_RUN_DECRYPT))
            try_run(setup, gcm, other, in, key_len, n, turn + flags, flags);
}

/* 0 blocks are left out: the C code around the operations never asks for them. */
Test(kernels, operations_on_blocks, .init = begin)
{
    static struct state in;
    struct random r = random_new(10);
    size_t turn = 0;
    for (size_t n = 1; n <= BLOCKS_MOST; n++)
        for (size_t k = 0; k < key_sizes_count; k++, turn++) {
            uint8_t key[32];
            size_t key_len = key_sizes[k];
            random_fill(&r, key, sizeof key);
            random_fill(&r, &in, sizeof in);
            if (turn % 3 == 0) /* let the counter wrap within the text */
                vg_store_be32(in.counter + 12, (uint32_t)-random_below(&r, n + 1));
            memcpy(in.run, in.counter, 16);
            struct vg_aes_gcm other = reference_key(key, key_len);
            for (size_t s = 0; s < setups_count; s++) {
                /* The context up against a guard page, at each 16-byte alignment a cache line has. */
                struct vg_aes_gcm *gcm = (struct vg_aes_gcm *)(void *)guard_high(&gcm_room, sizeof *gcm);
                setup_key(&setups[s], gcm, key, key_len);
                try_operations(&setups[s], gcm, &other, &in, key_len, n, turn);
            }
        }
}

static void try_message(const struct setup *setup, const struct message *m, size_t turn)
{
    struct vg_aes_gcm gcm;
    struct checked_result result;
    uint8_t tag[16];
    size_t key_len = m->key_len, n = m->len;
    uint8_t *src = guard_place(&src_room, n, turn % 128);
    uint8_t *dst = turn % 2 ? guard_place(&dst_room, n, turn * 5 % 128) : src;
    setup_key(setup, &gcm, m->key, m->key_len);
    memcpy(src, m->text, n);
    result = CHECKED_CALL(VG_CALL_FORM(&gcm, seal), &gcm, m->nonce, m->aad, m->aad_len, src, dst, n, tag);
    CHECK(!result.complaint && !memcmp(dst, m->cipher, n) && !memcmp(tag, m->tag, 16), WHERE, VALUES("seal", result));
    memcpy(src, m->text, n);
    result = CHECKED_CALL(vg_aes_gcm_seal_to, &gcm, m->nonce, 12, m->aad, m->aad_len, src, dst, n, tag);
    CHECK(!result.complaint && !memcmp(dst, m->cipher, n) && !memcmp(tag, m->tag, 16), WHERE,
          VALUES("vg_aes_gcm_seal_to", result));
#if VG_OPEN
    memcpy(src, m->cipher, n);
    result = CHECKED_CALL(VG_CALL_FORM(&gcm, open), &gcm, m->nonce, m->aad, m->aad_len, src, dst, n, tag);
    CHECK(!result.complaint && result.rax == VG_VERDICT_GOOD && !memcmp(dst, m->text, n), WHERE,
          VALUES("open", result));

    tag[turn % 16] ^= 1;
    memcpy(src, m->cipher, n);
    memset(dst == src ? src + n : dst, 0x77, dst == src ? 0 : n);
    result = CHECKED_CALL(VG_CALL_FORM(&gcm, open), &gcm, m->nonce, m->aad, m->aad_len, src, dst, n, tag);
    uint32_t verdict = (uint32_t)result.rax;
    CHECK(!result.complaint && (verdict == VG_VERDICT_UNTOUCHED || verdict == VG_VERDICT_WRITTEN), WHERE,
          VALUES("open of a wrong tag", result));
    for (size_t i = 0; i < n && verdict == VG_VERDICT_UNTOUCHED; i++)
        CHECK(dst[i] == (dst == src ? m->cipher[i] : 0x77), WHERE, VALUES("untouched open", result));
    for (size_t i = 0; i < n && verdict == VG_VERDICT_WRITTEN; i++)
        CHECK(dst[i] == m->text[i], WHERE, VALUES("written open", result));

    memcpy(src, m->cipher, n);
    result = CHECKED_CALL(vg_aes_gcm_open_to, &gcm, m->nonce, 12, m->aad, m->aad_len, src, dst, n, tag, 16);
    CHECK(!result.complaint && result.rax == VG_ERR_AUTH, WHERE, VALUES("vg_aes_gcm_open_to", result));
#endif
    memset(src, GUARD_FILL, n);
    memset(dst, GUARD_FILL, n);
}

#if VG_SPLIT || VG_GATHER
/* The end of the text is at dst, and src ends before it. */
static void try_split(const struct setup *setup, const struct message *m, size_t turn)
{
    struct vg_aes_gcm gcm;
    uint8_t tag[16];
    size_t key_len = m->key_len, n = m->len;
    setup_key(setup, &gcm, m->key, m->key_len);
    size_t mask = VG_VARIANT(&gcm)->split_mask;
    if (!mask)
        return;
    size_t first = n ? (n - 1) & mask : 0;
    uint8_t *dst = guard_place(&dst_room, n, turn * 5 % 128);
    uint8_t *src = turn % 3 ? guard_place(&src_room, first, turn % 128) : dst;
    memset(dst, 0x77, n);
    memcpy(src, m->text, first);
    memcpy(dst + first, m->text + first, n - first);
    struct checked_result result =
        CHECKED_CALL(VG_CALL_FORM(&gcm, seal_split), &gcm, m->nonce, m->aad, m->aad_len, src, dst, n, tag);
    CHECK(!result.complaint && !memcmp(dst, m->cipher, n) && !memcmp(tag, m->tag, 16) &&
              guard_intact(&dst_room, dst, n),
          WHERE, VALUES("seal_split", result));
    memset(src, GUARD_FILL, first);
    memset(dst, GUARD_FILL, n);
}

/* Slices that end where the kernel wants it, each in a room of its own, or one of them at dst. */
static void try_slices(const struct setup *setup, const struct message *m, struct random *r, size_t turn)
{
    struct vg_aes_gcm gcm;
    struct vg_slice slices[SLICES_MOST];
    uint8_t tag[16];
    size_t key_len = m->key_len, n = m->len;
    setup_key(setup, &gcm, m->key, m->key_len);
    const struct vg_variant *variant = VG_VARIANT(&gcm);
    if (n < variant->stitched_from || variant->stitched_from == VG_THRESHOLD_NONE)
        return;
    size_t unit = -variant->slice_mask, tail = (n - 1) & -(variant->stitched_from - 1);
    size_t last = n - tail < 16 ? tail - unit : tail; /* where the last slice begins at the latest */
    size_t at = 0, used = 0, in_place = turn % (2 * SLICES_MOST);
    uint8_t *dst = guard_place(&dst_room, n, turn * 5 % 128);
    memset(dst, 0x77, n);
    while (at < n) {
        size_t left = (last - at) / unit, len = unit * (1 + (left ? random_below(r, left) : 0));
        if (at == last || used + 1 == SLICES_MOST || !random_below(r, 4))
            len = n - at;
        uint8_t *data = used == in_place ? dst + at : guard_place(&slice_rooms[used], len, (turn + used) % 128);
        memcpy(data, m->text + at, len);
        slices[used++] = (struct vg_slice){data, len};
        at += len;
    }
    struct checked_result result =
        CHECKED_CALL(VG_CALL_FORM(&gcm, seal_slices), &gcm, m->nonce, m->aad, m->aad_len, slices, dst, n, tag);
    CHECK(!result.complaint && result.rax == VG_OK && !memcmp(dst, m->cipher, n) && !memcmp(tag, m->tag, 16) &&
              guard_intact(&dst_room, dst, n),
          WHERE " (%zu slices)", VALUES("seal_slices", result), used);
    for (size_t i = 0; i < used; i++)
        if (i != in_place)
            memset(guard_place(&slice_rooms[i], slices[i].len, (turn + i) % 128), GUARD_FILL, slices[i].len);
    memset(dst, GUARD_FILL, n);
    tried_slices++;
}
#endif

Test(kernels, whole_messages, .init = begin)
{
    static struct message m;
    struct random r = random_new(11);
    size_t turn = 0;
    for (size_t len = 0; len <= 16 * BLOCKS_MOST - 100; len += len < 300 ? 1 : 13)
        for (size_t k = 0; k < key_sizes_count; k++, turn++) {
            message_random(&m, &r, key_sizes[k], 12, random_below(&r, 70), len);
            for (size_t s = 0; s < setups_count; s++)
                try_message(&setups[s], &m, turn);
#if VG_SPLIT || VG_GATHER
            for (size_t s = 0; s < setups_count; s++) {
                try_split(&setups[s], &m, turn);
                try_slices(&setups[s], &m, &r, turn);
            }
#endif
        }
#if VG_SPLIT || VG_GATHER
    if (!tried_slices)
        cr_log_warn("no variant that can run here takes slices: only whole messages were tried");
#endif
}

/* Key set-up and powers, from a context that ends at a guard page. */
Test(kernels, key_setup, .init = begin)
{
    struct random r = random_new(12);
    for (size_t turn = 0; turn < 60; turn++)
        for (size_t k = 0; k < key_sizes_count; k++)
            for (size_t s = 0; s < setups_count; s++) {
                const struct setup *setup = &setups[s];
                size_t key_len = key_sizes[k], n = 0;
                uint8_t *key = guard_place(&src_room, key_len, turn * 2);
                struct vg_aes_gcm *gcm = (struct vg_aes_gcm *)(void *)guard_high(&gcm_room, sizeof *gcm);
                random_fill(&r, key, key_len);
                struct vg_aes_gcm other = reference_key(key, key_len);
                memset(gcm, 0, sizeof *gcm);
                gcm->variant = setup->variant;
                struct checked_result result = CHECKED_CALL(VG_CALL(gcm, init), gcm, key, key_len);
                CHECK(!result.complaint && gcm->rounds == other.rounds &&
                          !memcmp(gcm->round_key, other.round_key, 16 * (other.rounds + 1)) &&
                          !memcmp(gcm->power[VG_POWERS - 1], other.power[VG_POWERS - 1], 16),
                      WHERE, VALUES("init", result));
#if !VG_CONTEXT_BASE
                result = CHECKED_CALL(VG_CALL(gcm, powers), gcm);
                VG_CALL(&other, powers)(&other);
                CHECK(!result.complaint && !memcmp(gcm->round_key, other.round_key, 16 * (other.rounds + 1)) &&
                          !memcmp(gcm->power, other.power, sizeof gcm->power) &&
                          guard_intact(&gcm_room, (uint8_t *)gcm, sizeof *gcm),
                      WHERE, VALUES("powers", result));
#endif
                memset(key, GUARD_FILL, key_len);
            }
}
