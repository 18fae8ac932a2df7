#include "plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t plan_byte(struct plan *p)
{
    if (!p->left)
        return 0;
    p->left--;
    return *p->at++;
}

size_t plan_below(struct plan *p, size_t limit)
{
    size_t v = plan_byte(p);
    if (limit > 256)
        v |= (size_t)plan_byte(p) << 8;
    return v % limit;
}

size_t plan_len(struct plan *p, size_t most)
{
    static const uint16_t classes[] = {33, 33, 80, 145, 300, 300, 1100, 2600};
    size_t class = plan_byte(p), limit = class < 248 ? classes[class % 8] : 65535;
    return plan_below(p, limit <= most ? limit : most + 1);
}

size_t plan_cuts(struct plan *p, size_t lens[FUZZ_CUTS_MAX], size_t len)
{
    size_t n = 0;
    while (n < FUZZ_CUTS_MAX - 1 && p->left) {
        uint8_t how = plan_byte(p);
        if (how >= 240)
            break;
        size_t piece = how < 200 ? how % 67 : plan_below(p, 65536) % (len + 1);
        piece = piece < len ? piece : len;
        lens[n++] = piece;
        len -= piece;
    }
    lens[n++] = len;
    return n;
}

static void fill(struct plan *p, struct random *r, uint8_t *bytes, size_t len)
{
    uint8_t how = plan_byte(p);
    if (how >= 250)
        memset(bytes, how & 1 ? 0xff : 0, len);
    else
        random_fill(r, bytes, len);
}

void plan_message(struct plan *p, struct message *m, size_t longest)
{
    m->key_len = key_sizes[plan_below(p, key_sizes_count)];
    m->nonce_len = VG_ANY_NONCE && plan_byte(p) >= 192 ? 1 + plan_len(p, 299) : 12;
    m->aad_len = plan_len(p, MESSAGE_AAD_MAX);
    m->len = plan_len(p, longest);
    struct random r = {plan_byte(p) + 1u};
    fill(p, &r, m->key, m->key_len);
    fill(p, &r, m->nonce, m->nonce_len);
    fill(p, &r, m->aad, m->aad_len);
    fill(p, &r, m->text, m->len);
    message_update(m);
}

void plan_key(struct plan *p, struct vg_aes_gcm *gcm, const struct message *m)
{
    static struct setup setups[SETUPS_MAX];
    static size_t n;
    if (!n)
        n = setups_find(setups);
    size_t which = plan_below(p, n + 1);
    if (which < n)
        setup_key(&setups[which], gcm, m->key, m->key_len);
    else
        FUZZ_CHECK(!vg_aes_gcm_init(gcm, m->key, m->key_len), m);
}

uint8_t *plan_place(struct plan *p, enum fuzz_room room, size_t len)
{
    static struct guard rooms[ROOMS];
    if (!rooms[room].low)
        rooms[room] = guard_new(MESSAGE_TEXT_MAX + 64);
    return guard_place(&rooms[room], len, plan_below(p, 128));
}

uint8_t *plan_copy(struct plan *p, enum fuzz_room room, const uint8_t *bytes, size_t len)
{
    uint8_t *place = plan_place(p, room, len);
    memcpy(place, bytes, len);
    return len ? place : NULL;
}

/* The fuzzer keeps an input that makes one of these grow as it keeps one that reaches new code. */
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t seen[1 << 14];

void fuzz_seen(const struct vg_aes_gcm *gcm, unsigned what, size_t len)
{
    size_t blocks = len / 16 < 64 ? len / 16 : 64 + len / 16 % 16;
    size_t kind = ((gcm->variant * 2 + (gcm->prepared != 0)) * 16 + what) * 80 + blocks;
    seen[(kind * 3 + (len % 16 != 0) + (len % 16 > 7)) % sizeof seen] = 1;
}

_Noreturn void fuzz_found(const char *file, int line, const char *condition, const struct message *m)
{
    fprintf(stderr, "%s:%d: %s: key %zu, nonce %zu, aad %zu, text %zu\n", file, line, condition, m->key_len,
            m->nonce_len, m->aad_len, m->len);
    abort();
}
