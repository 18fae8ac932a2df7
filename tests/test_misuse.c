/* Is every wrong argument of every call on whole messages refused with its status, before a byte is written? */
#include "harness/check.h"
#include "harness/guard.h"
#include "harness/reference.h"
#include "harness/setups.h"
#include <string.h>
#include <vg/vg.h>

/* The arguments of all calls in one. */
struct arguments {
    const struct vg_aes_gcm *gcm;
    const uint8_t *nonce;
    size_t nonce_len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *src;
    uint8_t *dst;
    size_t len;
    uint8_t *tag;
    size_t tag_len;
};

enum { IN_PLACE = 1, OPENS = 2, TWELVE = 4 /* nonce and tag have fixed lengths */ };

static enum vg_status call_seal(const struct arguments *a)
{
    return vg_aes_gcm_seal(a->gcm, a->nonce, a->nonce_len, a->aad, a->aad_len, a->dst, a->len, a->tag);
}

static enum vg_status call_seal_to(const struct arguments *a)
{
    return vg_aes_gcm_seal_to(a->gcm, a->nonce, a->nonce_len, a->aad, a->aad_len, a->src, a->dst, a->len, a->tag);
}

#if VG_OPEN
static enum vg_status call_open(const struct arguments *a)
{
    return vg_aes_gcm_open(a->gcm, a->nonce, a->nonce_len, a->aad, a->aad_len, a->dst, a->len, a->tag, a->tag_len);
}

static enum vg_status call_open_to(const struct arguments *a)
{
    return vg_aes_gcm_open_to(a->gcm, a->nonce, a->nonce_len, a->aad, a->aad_len, a->src, a->dst, a->len, a->tag,
                              a->tag_len);
}
#endif

#if VG_GATHER
static enum vg_status call_gather(const struct arguments *a)
{
    struct vg_slice slice = {a->src, a->len};
    return vg_aes_gcm_seal_gather(a->gcm, a->nonce, a->nonce_len, a->aad, a->aad_len, &slice, 1, a->dst, a->len,
                                  a->tag);
}
#endif

#if VG_SPLIT
static enum vg_status call_split(const struct arguments *a)
{
    return vg_aes_gcm_seal_split(a->gcm, a->nonce, a->nonce_len, a->aad, a->aad_len, a->src, a->len, a->dst, a->len,
                                 a->tag);
}
#endif

#if VG_CHAIN
static enum vg_status call_seal_chain(const struct arguments *a)
{
    struct vg_segment segment = {a->src, a->dst, a->len};
    return vg_aes_gcm_seal_chain(a->gcm, a->nonce, a->nonce_len, a->aad, a->aad_len, &segment, 1, a->tag);
}

#if VG_OPEN
static enum vg_status call_open_chain(const struct arguments *a)
{
    struct vg_segment segment = {a->src, a->dst, a->len};
    return vg_aes_gcm_open_chain(a->gcm, a->nonce, a->nonce_len, a->aad, a->aad_len, &segment, 1, a->tag, a->tag_len);
}
#endif
#endif

#if VG_BURST
static enum vg_status call_seal_burst(const struct arguments *a)
{
    struct vg_packet packet = {a->gcm, a->nonce, a->aad, a->aad_len, a->src, a->dst, a->len, a->tag, VG_ERR_SELF_TEST};
    size_t good = vg_aes_gcm_seal_burst(&packet, 1);
    CHECK(good == (packet.status == VG_OK), "the count of a burst");
    return packet.status;
}

#if VG_OPEN
static enum vg_status call_open_burst(const struct arguments *a)
{
    struct vg_packet packet = {a->gcm, a->nonce, a->aad, a->aad_len, a->src, a->dst, a->len, a->tag, VG_ERR_SELF_TEST};
    size_t good = vg_aes_gcm_open_burst(&packet, 1);
    CHECK(good == (packet.status == VG_OK), "the count of a burst");
    return packet.status;
}
#endif
#endif

static const struct entry {
    const char *name;
    enum vg_status (*call)(const struct arguments *a);
    unsigned traits;
} entries[] = {
    {"seal", call_seal, IN_PLACE},
    {"seal_to", call_seal_to, 0},
#if VG_OPEN
    {"open", call_open, IN_PLACE | OPENS},
    {"open_to", call_open_to, OPENS},
#endif
#if VG_GATHER
    {"seal_gather", call_gather, 0},
#endif
#if VG_SPLIT
    {"seal_split", call_split, 0},
#endif
#if VG_CHAIN
    {"seal_chain", call_seal_chain, 0},
#if VG_OPEN
    {"open_chain", call_open_chain, OPENS},
#endif
#endif
#if VG_BURST
    {"seal_burst", call_seal_burst, TWELVE},
#if VG_OPEN
    {"open_burst", call_open_burst, OPENS | TWELVE},
#endif
#endif
};
enum { ENTRIES = sizeof entries / sizeof *entries, LEN = 100, AAD_LEN = 20, ARENA = 4096 };

static struct guard room;
static struct vg_aes_gcm gcm, cleared;
static uint8_t before[ARENA];
static const uint8_t key[32] = "a key for misuse, a key for misu";

static void begin(void)
{
    room = guard_new(ARENA);
    cr_assert(vg_aes_gcm_init(&gcm, key, key_sizes[0]) == VG_OK);
    vg_aes_gcm_clear(&cleared);
}

/* Right arguments: every buffer in one arena, far apart. An open gets what a seal made. */
static struct arguments right(const struct entry *entry)
{
    struct random r = random_new(80);
    random_fill(&r, room.low, ARENA);
    struct arguments a = {
        .gcm = &gcm,
        .nonce = room.low + 64,
        .nonce_len = 12,
        .aad = room.low + 128,
        .aad_len = AAD_LEN,
        .src = room.low + 1024,
        .dst = room.low + 2048,
        .len = LEN,
        .tag = room.low + 3072,
        .tag_len = 16,
    };
    if (entry->traits & OPENS) {
        cr_assert(!vg_aes_gcm_seal(&gcm, a.nonce, 12, a.aad, a.aad_len, room.low + 1024, LEN, a.tag));
        memcpy(a.dst, a.src, LEN); /* for open in place */
    }
    memcpy(before, room.low, ARENA);
    return a;
}

static int is_untouched(void) { return !memcmp(before, room.low, ARENA); }

static void refused(const struct entry *entry, const struct arguments *a, enum vg_status want, const char *what)
{
    enum vg_status status = entry->call(a);
    CHECK(status == want, "%s, %s: status %d, not %d", entry->name, what, (int)status, (int)want);
    CHECK(is_untouched(), "%s, %s: something was written", entry->name, what);
}

/* Memory that nobody may touch, for lengths that must be refused at once. */
static uint8_t *untouchable(void) { return room.low - 4096; }

#define EACH_ENTRY(e) (const struct entry *e = entries; e < entries + ENTRIES; e++)

Test(misuse, right_arguments_are_accepted, .init = begin)
{
    for
        EACH_ENTRY(e)
        {
            struct arguments a = right(e);
            enum vg_status status = e->call(&a);
            CHECK(status == VG_OK && !is_untouched(), "%s: status %d", e->name, (int)status);
        }
}

Test(misuse, null_pointers, .init = begin)
{
    for
        EACH_ENTRY(e)
        {
            struct arguments a = right(e);
            a.gcm = NULL;
            refused(e, &a, VG_ERR_NULL, "gcm NULL");
            a = right(e);
            a.nonce = NULL;
            refused(e, &a, VG_ERR_NULL, "nonce NULL");
            a = right(e);
            a.aad = NULL;
            refused(e, &a, VG_ERR_NULL, "aad NULL");
            a = right(e);
            a.dst = NULL;
            refused(e, &a, VG_ERR_NULL, "dst NULL");
            a.len = 1;
            refused(e, &a, VG_ERR_NULL, "dst NULL, 1 byte");
            a = right(e);
            a.tag = NULL;
            refused(e, &a, VG_ERR_NULL, "tag NULL");
            a.len = a.aad_len = 0;
            refused(e, &a, VG_ERR_NULL, "tag NULL of an empty message");
            if (e->traits & IN_PLACE)
                continue;
            a = right(e);
            a.src = NULL;
            refused(e, &a, VG_ERR_NULL, "src NULL");
        }
}

/* With no text and no AAD their pointers do not matter: NULL, or memory that nobody may touch. */
Test(misuse, empty_parts_need_no_pointers, .init = begin)
{
    uint8_t want[16];
    for
        EACH_ENTRY(e)
    for (int turn = 0; turn < 8; turn++) {
        struct arguments a = right(e);
        uint8_t *nothing = turn & 1 ? untouchable() : NULL, nonce[12];
        memcpy(nonce, a.nonce, 12);
        a.aad_len = turn & 2 ? AAD_LEN : 0;
        a.aad = turn & 2 ? a.aad : nothing;
        a.src = a.dst = nothing;
        if (turn & 4) /* one of the two */
            a.src = room.low + 1024;
        a.len = 0;
        reference_seal(key, key_sizes[0], nonce, 12, a.aad_len ? a.aad : NULL, a.aad_len, NULL, NULL, 0, want);
        if (e->traits & OPENS)
            memcpy(a.tag, want, 16);
        enum vg_status status = e->call(&a);
        CHECK(status == VG_OK && !memcmp(a.tag, want, 16), "%s, turn %d: status %d", e->name, turn, (int)status);
    }
}

Test(misuse, keys_that_are_not_set_up, .init = begin)
{
    for
        EACH_ENTRY(e)
        {
            struct arguments a = right(e);
            a.gcm = &cleared;
            refused(e, &a, VG_ERR_KEY, "cleared key");
        }
    for (size_t key_len = 0; key_len <= 40; key_len++) {
        int supported = (VG_AES128 && key_len == 16) || (VG_AES192 && key_len == 24) || (VG_AES256 && key_len == 32);
        struct vg_aes_gcm other = gcm;
        uint8_t *exact = guard_high(&room, key_len), tag[16];
        CHECK(vg_aes_gcm_init(&other, exact, key_len) == (supported ? VG_OK : VG_ERR_KEY_LEN), "key %zu", key_len);
        enum vg_status status = vg_aes_gcm_seal(&other, room.low, 12, NULL, 0, NULL, 0, tag);
        CHECK(status == (supported ? VG_OK : VG_ERR_KEY), "seal after init with a key of %zu: %d", key_len,
              (int)status);
        CHECK(supported || !memcmp(&other, &cleared, sizeof other), "key %zu: cleared", key_len);
    }
    struct vg_aes_gcm other = gcm;
    CHECK(vg_aes_gcm_init(&other, untouchable(), SIZE_MAX) == VG_ERR_KEY_LEN, "SIZE_MAX");
    CHECK(vg_aes_gcm_init(NULL, key, 16) == VG_ERR_NULL, "gcm NULL");
    other = gcm;
    CHECK(vg_aes_gcm_init(&other, NULL, 16) == VG_ERR_NULL, "key NULL");
    CHECK(!memcmp(&other, &cleared, sizeof other), "key NULL: cleared");
    CHECK(vg_aes_gcm_prepare(NULL) == VG_ERR_NULL && vg_aes_gcm_prepare(&cleared) == VG_ERR_KEY, "prepare");
}

Test(misuse, lengths_over_the_limits, .init = begin)
{
    const size_t over_text[] = {VG_TEXT_MAX + 1, VG_TEXT_MAX + 16, (size_t)1 << 36,
                                (size_t)1 << 61, SIZE_MAX - 15,    SIZE_MAX};
    const size_t over_61[] = {VG_AAD_MAX + 1, VG_AAD_MAX + 2, (size_t)1 << 62, (size_t)1 << 63, SIZE_MAX};
    for
        EACH_ENTRY(e)
        {
            struct arguments a = right(e);
            a.src = a.dst = untouchable();
            for (size_t i = 0; i < sizeof over_text / sizeof *over_text; i++) {
                a.len = over_text[i];
                refused(e, &a, VG_ERR_TEXT_LEN, "text over the limit");
            }
            /* The longest text is let through to the next check. */
            a.src = a.dst = NULL;
            a.len = VG_TEXT_MAX;
            refused(e, &a, VG_ERR_NULL, "longest text, dst NULL");
            a = right(e);
            a.aad = untouchable();
            for (size_t i = 0; i < sizeof over_61 / sizeof *over_61; i++) {
                a.aad_len = over_61[i];
                refused(e, &a, VG_ERR_AAD_LEN, "AAD over the limit");
            }
            a.aad_len = VG_AAD_MAX;
            a.src = a.dst = NULL;
            refused(e, &a, VG_ERR_NULL, "longest AAD, dst NULL");
            if (e->traits & TWELVE)
                continue;
            a = right(e);
            a.nonce_len = 0;
            refused(e, &a, VG_ERR_NONCE_LEN, "nonce of 0 bytes");
            a.nonce = untouchable();
            refused(e, &a, VG_ERR_NONCE_LEN, "nonce of 0 bytes, elsewhere");
            for (size_t i = 0; i < sizeof over_61 / sizeof *over_61; i++) {
                a.nonce_len = over_61[i];
                refused(e, &a, VG_ERR_NONCE_LEN, "nonce over the limit");
            }
            a.nonce_len = VG_NONCE_MAX;
            a.src = a.dst = NULL;
            refused(e, &a, VG_ANY_NONCE ? VG_ERR_NULL : VG_ERR_NONCE_LEN, "longest nonce, dst NULL");
        }
}

#if VG_OPEN
Test(misuse, tag_lengths, .init = begin)
{
    const size_t more[] = {64, 128, 200, 256, 65536, (size_t)1 << 32, ((size_t)1 << 32) + 16, SIZE_MAX - 15, SIZE_MAX};
    for
        EACH_ENTRY(e)
        {
            if (!(e->traits & OPENS) || (e->traits & TWELVE))
                continue;
            for (size_t tag_len = 0; tag_len <= 40; tag_len++) {
                struct arguments a = right(e);
                int truncated = tag_len == 4 || tag_len == 8 || (tag_len >= 12 && tag_len < 16);
                a.tag_len = tag_len;
                if (tag_len == 16 || (VG_TRUNCATED_TAGS && truncated))
                    CHECK(e->call(&a) == VG_OK, "%s, tag of %zu", e->name, tag_len);
                else
                    refused(e, &a, VG_ERR_TAG_LEN, "tag length");
                a.len = 0;
                if (tag_len == 0)
                    refused(e, &a, VG_ERR_TAG_LEN, "tag length 0 of an empty text");
            }
            for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
                struct arguments a = right(e);
                a.tag_len = more[i];
                refused(e, &a, VG_ERR_TAG_LEN, "tag length");
            }
        }
}
#endif

Test(misuse, overlaps, .init = begin)
{
    for
        EACH_ENTRY(e)
    for (size_t by = 1; by <= LEN && !(e->traits & IN_PLACE); by++) {
        struct arguments a = right(e);
        a.dst = room.low + 1024 + by;
        if (by < LEN)
            refused(e, &a, VG_ERR_OVERLAP, "dst behind src");
        a.dst = room.low + 1024 - by;
        if (by < LEN)
            refused(e, &a, VG_ERR_OVERLAP, "dst before src");
        else
            CHECK(e->call(&a) == VG_OK, "%s, dst just before src", e->name);
        a = right(e);
        a.dst = room.low + 1024 + LEN;
        CHECK(e->call(&a) == VG_OK, "%s, dst just behind src", e->name);
    }
}

Test(misuse, tags_inside_the_output, .init = begin)
{
    for
        EACH_ENTRY(e)
    for (ptrdiff_t at = -16; at <= LEN; at++) {
        struct arguments a = right(e);
        uint8_t tag[16];
        memcpy(tag, a.tag, 16);
        a.tag = a.dst + at;
        if (at > -16 && at < LEN) {
            refused(e, &a, VG_ERR_OVERLAP, "tag inside the output");
            continue;
        }
        memcpy(a.tag, tag, 16);
        CHECK(e->call(&a) == VG_OK, "%s, tag beside the output", e->name);
    }
}

#if VG_GATHER
static void gather_refused(const struct vg_slice *slices, size_t n, uint8_t *dst, size_t len, enum vg_status want,
                           const char *what)
{
    enum vg_status status = vg_aes_gcm_seal_gather(&gcm, room.low, 12, NULL, 0, slices, n, dst, len, room.low + 64);
    CHECK(status == want, "%s: status %d, not %d", what, (int)status, (int)want);
    CHECK(is_untouched(), "%s: something was written", what);
}

Test(misuse, slices_of_a_gather, .init = begin)
{
    right(&entries[0]);
    uint8_t *src = room.low + 1024, *dst = room.low + 2048;
    gather_refused(NULL, 1, dst, 0, VG_ERR_NULL, "slices NULL");
    gather_refused(NULL, 0, dst, 1, VG_ERR_SLICES, "no slices for a byte");
    gather_refused((struct vg_slice[]){{src, 10}, {NULL, 10}}, 2, dst, 20, VG_ERR_NULL, "a slice NULL");
    gather_refused((struct vg_slice[]){{src, 10}, {src + 10, 9}}, 2, dst, 20, VG_ERR_SLICES, "too little");
    gather_refused((struct vg_slice[]){{src, 10}, {src + 10, 11}}, 2, dst, 20, VG_ERR_SLICES, "too much");
    gather_refused((struct vg_slice[]){{src, 20}, {src + 20, 1}}, 2, dst, 20, VG_ERR_SLICES, "a byte too much");
    gather_refused((struct vg_slice[]){{src, SIZE_MAX}, {src, 21}}, 2, dst, 20, VG_ERR_SLICES, "a sum that wraps");
    gather_refused((struct vg_slice[]){{src, 10}, {src, SIZE_MAX - 5}, {src, 16}}, 3, dst, 20, VG_ERR_SLICES,
                   "a sum that wraps later");
    for (size_t at = 0; at < 20; at++)
        if (at != 10)
            gather_refused((struct vg_slice[]){{src, 10}, {dst + at, 10}}, 2, dst, 20, VG_ERR_OVERLAP,
                           "a slice inside dst, elsewhere than its ciphertext");
    gather_refused((struct vg_slice[]){{src, 10}, {dst - 9, 10}}, 2, dst, 20, VG_ERR_OVERLAP,
                   "a slice that ends in dst");
    /* Longer texts in two slices are checked in code of their own. */
    for (size_t len = 90; len <= 600; len += 255)
        for (size_t at = 0; at < len; at += 1 + at / 40) {
            const size_t half = len / 2;
            if (at != len - 1)
                gather_refused((struct vg_slice[]){{src, len - 1}, {dst + at, 1}}, 2, dst, len, VG_ERR_OVERLAP,
                               "a last byte inside dst");
            if (at != half)
                gather_refused((struct vg_slice[]){{src, half}, {dst + at, len - half}}, 2, dst, len, VG_ERR_OVERLAP,
                               "a second half inside dst");
            if (at)
                gather_refused((struct vg_slice[]){{dst + at, half}, {src, len - half}}, 2, dst, len, VG_ERR_OVERLAP,
                               "a first half inside dst, elsewhere than its ciphertext");
        }
    CHECK(!vg_aes_gcm_seal_gather(&gcm, room.low, 12, NULL, 0, NULL, 0, NULL, 0, room.low + 64), "nothing at all");
    struct vg_slice empty[3] = {{NULL, 0}, {untouchable(), 0}, {dst, 0}};
    CHECK(!vg_aes_gcm_seal_gather(&gcm, room.low, 12, NULL, 0, empty, 3, dst, 0, room.low + 64), "empty slices");
}
#endif

#if VG_SPLIT
Test(misuse, source_of_a_split, .init = begin)
{
    const size_t lens[] = {21, 22, (size_t)1 << 36, SIZE_MAX};
    right(&entries[0]);
    uint8_t *src = room.low + 1024, *dst = room.low + 2048, *tag = room.low + 64;
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++)
        CHECK(vg_aes_gcm_seal_split(&gcm, room.low, 12, NULL, 0, src, lens[i], dst, 20, tag) == VG_ERR_SLICES &&
                  is_untouched(),
              "%zu of 20", lens[i]);
    /* src may not lie in the part of dst that holds text already, either. */
    for (size_t at = 1; at < 20; at++)
        CHECK(vg_aes_gcm_seal_split(&gcm, room.low, 12, NULL, 0, dst + at, 5, dst, 20, tag) == VG_ERR_OVERLAP &&
                  is_untouched(),
              "src at dst + %zu", at);
    CHECK(!vg_aes_gcm_seal_split(&gcm, room.low, 12, NULL, 0, dst + 10, 0, dst, 20, tag), "nothing from src");
    CHECK(!vg_aes_gcm_seal_split(&gcm, room.low, 12, NULL, 0, NULL, 0, dst, 20, tag), "nothing from NULL");
    CHECK(!vg_aes_gcm_seal_split(&gcm, room.low, 12, NULL, 0, dst, 7, dst, 20, tag), "src is dst");
}
#endif

#if VG_CHAIN
static void chain_refused(const struct vg_segment *segments, size_t n, enum vg_status want, const char *what)
{
    uint8_t *tag = room.low + 64;
    enum vg_status status = vg_aes_gcm_seal_chain(&gcm, room.low, 12, NULL, 0, segments, n, tag);
    CHECK(status == want && is_untouched(), "seal, %s: status %d, not %d", what, (int)status, (int)want);
#if VG_OPEN
    status = vg_aes_gcm_open_chain(&gcm, room.low, 12, NULL, 0, segments, n, tag, 16);
    CHECK(status == want && is_untouched(), "open, %s: status %d, not %d", what, (int)status, (int)want);
#endif
}

/* What is wrong with the last segment is found before the first one is touched. */
Test(misuse, segments_of_a_chain, .init = begin)
{
    right(&entries[0]);
    uint8_t *src = room.low + 1024, *dst = room.low + 2048;
    const struct vg_segment good = {src, dst, 20};
    chain_refused(NULL, 1, VG_ERR_NULL, "segments NULL");
    chain_refused((struct vg_segment[]){good, {NULL, dst + 20, 4}}, 2, VG_ERR_NULL, "a src NULL");
    chain_refused((struct vg_segment[]){good, {src + 20, NULL, 4}}, 2, VG_ERR_NULL, "a dst NULL");
    chain_refused((struct vg_segment[]){good, {dst + 100, dst + 101, 4}}, 2, VG_ERR_OVERLAP, "an overlap");
    chain_refused((struct vg_segment[]){good, {dst + 101, dst + 100, 4}}, 2, VG_ERR_OVERLAP, "an overlap before");
    chain_refused((struct vg_segment[]){good, {src + 20, room.low + 70, 4}}, 2, VG_ERR_OVERLAP, "the tag in a segment");
    chain_refused((struct vg_segment[]){good, {untouchable(), untouchable(), VG_TEXT_MAX - 19}}, 2, VG_ERR_TEXT_LEN,
                  "a byte too much in all");
    chain_refused((struct vg_segment[]){good, {untouchable(), untouchable(), SIZE_MAX - 10}}, 2, VG_ERR_TEXT_LEN,
                  "a sum that wraps");
    chain_refused((struct vg_segment[]){good, {NULL, NULL, VG_TEXT_MAX - 20}}, 2, VG_ERR_NULL,
                  "the longest text, NULL");
    CHECK(!vg_aes_gcm_seal_chain(&gcm, room.low, 12, NULL, 0, NULL, 0, room.low + 64), "no segments");
}
#endif
