/* Is every wrong argument of the building blocks refused with its status, before a byte is written? */
#include "harness/check.h"
#include "harness/guard.h"
#include "harness/setups.h"
#include <string.h>
#include <vg/vg.h>

#if VG_BLOCKS
enum { BLOCKS = 5, LEN = 16 * BLOCKS, ARENA = 4096 };
enum { IN_PLACE = 1, NO_DST = 2, NO_COUNTER = 4, NO_Y = 8 };

struct arguments {
    const struct vg_aes_gcm *gcm;
    uint8_t *counter, *y, *src, *dst;
    size_t n;
};

static enum vg_status call_ctr32(const struct arguments *a) { return vg_aes_ctr32(a->gcm, a->counter, a->dst, a->n); }

static enum vg_status call_ctr32_to(const struct arguments *a)
{
    return vg_aes_ctr32_to(a->gcm, a->counter, a->src, a->dst, a->n);
}

static enum vg_status call_ghash(const struct arguments *a) { return vg_ghash(a->gcm, a->y, a->src, a->n); }

static enum vg_status call_encrypt(const struct arguments *a)
{
    return vg_aes_gcm_encrypt_blocks(a->gcm, a->counter, a->y, a->dst, a->n);
}

static enum vg_status call_encrypt_to(const struct arguments *a)
{
    return vg_aes_gcm_encrypt_blocks_to(a->gcm, a->counter, a->y, a->src, a->dst, a->n);
}

#if VG_OPEN
static enum vg_status call_decrypt(const struct arguments *a)
{
    return vg_aes_gcm_decrypt_blocks(a->gcm, a->counter, a->y, a->dst, a->n);
}
#endif

static const struct entry {
    const char *name;
    enum vg_status (*call)(const struct arguments *a);
    unsigned traits;
} entries[] = {
    {"ctr32", call_ctr32, IN_PLACE | NO_Y},     {"ctr32_to", call_ctr32_to, NO_Y},
    {"ghash", call_ghash, NO_DST | NO_COUNTER}, {"encrypt_blocks", call_encrypt, IN_PLACE},
    {"encrypt_blocks_to", call_encrypt_to, 0},
#if VG_OPEN
    {"decrypt_blocks", call_decrypt, IN_PLACE},
#endif
};

static struct guard room;
static struct vg_aes_gcm gcm;
static const struct vg_aes_gcm cleared;
static uint8_t before[ARENA];

static void begin(void)
{
    room = guard_new(ARENA);
    cr_assert(!vg_aes_gcm_init(&gcm, (const uint8_t *)"0123456789abcdef0123456789abcdef", key_sizes[0]));
}

static struct arguments right(void)
{
    struct random r = random_new(90);
    random_fill(&r, room.low, ARENA);
    memcpy(before, room.low, ARENA);
    return (struct arguments){&gcm, room.low + 64, room.low + 128, room.low + 1024, room.low + 2048, BLOCKS};
}

static void refused(const struct entry *e, const struct arguments *a, enum vg_status want, const char *what)
{
    enum vg_status status = e->call(a);
    CHECK(status == want, "%s, %s: status %d, not %d", e->name, what, (int)status, (int)want);
    CHECK(!memcmp(before, room.low, ARENA), "%s, %s: something was written", e->name, what);
}

static void try_pointers(const struct entry *e)
{
    struct arguments a = right();
    a.gcm = NULL;
    refused(e, &a, VG_ERR_NULL, "gcm NULL");
    a.gcm = &cleared;
    refused(e, &a, VG_ERR_KEY, "cleared key");
    a.n = 0;
    refused(e, &a, VG_ERR_KEY, "cleared key, no blocks");
    a = right();
    a.counter = NULL;
    if (!(e->traits & NO_COUNTER))
        refused(e, &a, VG_ERR_NULL, "counter NULL");
    a = right();
    a.y = NULL;
    if (!(e->traits & NO_Y))
        refused(e, &a, VG_ERR_NULL, "y NULL");
    a = right();
    a.dst = NULL;
    if (!(e->traits & NO_DST))
        refused(e, &a, VG_ERR_NULL, "dst NULL");
    a = right();
    a.src = NULL;
    if (!(e->traits & IN_PLACE))
        refused(e, &a, VG_ERR_NULL, "src NULL");
    a = right();
    a.src = a.dst = NULL;
    a.n = 0;
    refused(e, &a, VG_OK, "nothing to do");
}

static void try_counts(const struct entry *e)
{
    const size_t over[] = {((size_t)1 << 32) - 1, (size_t)1 << 32, (size_t)1 << 60, SIZE_MAX / 16 + 1, SIZE_MAX};
    struct arguments a = right();
    a.src = a.dst = room.low - 4096;
    for (size_t i = 0; i < sizeof over / sizeof *over && !(e->traits & NO_DST); i++) {
        a.n = over[i];
        refused(e, &a, VG_ERR_TEXT_LEN, "too many blocks");
    }
}

static void try_overlaps(const struct entry *e)
{
    struct arguments a = right();
    for (size_t by = 1; by <= LEN && !(e->traits & (IN_PLACE | NO_DST)); by++) {
        a.dst = a.src + by;
        if (by < LEN)
            refused(e, &a, VG_ERR_OVERLAP, "dst behind src");
        a.dst = a.src - by;
        if (by < LEN)
            refused(e, &a, VG_ERR_OVERLAP, "dst before src");
        else
            CHECK(!e->call(&a), "%s, dst just before src", e->name);
    }
}

Test(blocks_misuse, every_call, .init = begin)
{
    for (const struct entry *e = entries; e < entries + sizeof entries / sizeof *entries; e++) {
        struct arguments a = right();
        CHECK(!e->call(&a) && memcmp(before, room.low, ARENA), "%s: right arguments", e->name);
        try_pointers(e);
        try_counts(e);
        try_overlaps(e);
    }
}

Test(blocks_misuse, key_expansion, .init = begin)
{
    uint8_t *out = room.low, *key = room.low + 1024;
    right();
    CHECK(vg_aes_expand_key(NULL, key, 16) == VG_ERR_NULL, "round_keys NULL");
    CHECK(vg_aes_expand_key(out, NULL, 16) == VG_ERR_NULL, "key NULL");
    for (size_t key_len = 0; key_len <= 40; key_len++) {
        int supported = (VG_AES128 && key_len == 16) || (VG_AES192 && key_len == 24) || (VG_AES256 && key_len == 32);
        enum vg_status status = vg_aes_expand_key(out, key, key_len);
        CHECK(status == (supported ? VG_OK : VG_ERR_KEY_LEN), "key %zu: status %d", key_len, (int)status);
        CHECK(supported == !!memcmp(before, room.low, ARENA), "key %zu: written", key_len);
        memcpy(room.low, before, ARENA);
    }
}
#endif
