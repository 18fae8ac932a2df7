/* The building blocks, in calls of any number of blocks, from any counter and any GHASH state. */
#include "../harness/field.h"
#include "../harness/plan.h"
#include "../harness/reference.h"
#include <string.h>

enum { BLOCKS = 160 };

static struct vg_aes_gcm gcm;
static struct message m;
static uint8_t stream[16 * BLOCKS], cipher[16 * BLOCKS];
static uint8_t first_counter[16], last_counter[16], first_y[16], last_y[16];
static size_t lens[FUZZ_CUTS_MAX], n;

/* What must come of the blocks, from single blocks of libcrypto and a model of the field. */
static void model(size_t blocks)
{
    uint8_t counter[16], h[16];
    memcpy(counter, first_counter, 16);
    for (size_t i = 0; i < blocks; i++) {
        reference_block(m.key, m.key_len, counter, stream + 16 * i);
        uint32_t number = (uint32_t)counter[12] << 24 | (uint32_t)counter[13] << 16 | (uint32_t)counter[14] << 8 |
                          (uint32_t)counter[15];
        number++;
        for (unsigned j = 0; j < 4; j++)
            counter[12 + j] = (uint8_t)(number >> (24 - 8 * j));
    }
    memcpy(last_counter, counter, 16);
    for (size_t i = 0; i < 16 * blocks; i++)
        cipher[i] = m.text[i] ^ stream[i];
    reference_block(m.key, m.key_len, (uint8_t[16]){0}, h);
    memcpy(last_y, first_y, 16);
    field_ghash(last_y, h, cipher, blocks);
}

static void crypts(struct plan *p, unsigned what)
{
    size_t len = 16 * (m.len / 16), at = 0;
    const uint8_t *from = what == 4 ? cipher : m.text;
    uint8_t *dst = plan_place(p, ROOM_DST, len), counter[16], y[16];
    const uint8_t *src = plan_copy(p, ROOM_SRC, from, len);
    memcpy(dst, from, len);
    memcpy(counter, first_counter, 16);
    memcpy(y, first_y, 16);
    for (size_t i = 0; i < n; at += 16 * lens[i++]) {
        enum vg_status status = VG_OK;
        const uint8_t *s = lens[i] ? src + at : NULL;
        uint8_t *d = lens[i] ? dst + at : NULL;
        switch (what) {
        case 0:
            status = vg_aes_ctr32(&gcm, counter, d, lens[i]);
            break;
        case 1:
            status = vg_aes_ctr32_to(&gcm, counter, s, d, lens[i]);
            break;
        case 2:
            status = vg_aes_gcm_encrypt_blocks(&gcm, counter, y, d, lens[i]);
            break;
        case 3:
            status = vg_aes_gcm_encrypt_blocks_to(&gcm, counter, y, s, d, lens[i]);
            break;
#if VG_OPEN
        case 4:
            status = vg_aes_gcm_decrypt_blocks(&gcm, counter, y, d, lens[i]);
            break;
#endif
        case 5:
            memcpy(dst, cipher, len);
            status = vg_ghash(&gcm, y, d, lens[i]);
            break;
        }
        FUZZ_CHECK(!status, &m);
    }
    FUZZ_CHECK(!memcmp(dst, what == 4 ? m.text : cipher, len), &m);
    FUZZ_CHECK(!memcmp(counter, what == 5 ? first_counter : last_counter, 16), &m);
    FUZZ_CHECK(!memcmp(y, what < 2 ? first_y : last_y, 16), &m);
}

static void expands_key(void)
{
    uint8_t keys[240];
    FUZZ_CHECK(!vg_aes_expand_key(keys, m.key, m.key_len), &m);
    FUZZ_CHECK(!memcmp(keys, m.key, m.key_len) && !memcmp(keys, gcm.round_key, 4 * m.key_len + 112), &m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan p = {data, size};
    plan_message(&p, &m, 16 * BLOCKS);
    plan_key(&p, &gcm, &m);
    size_t blocks = m.len / 16;
    struct random r = {plan_byte(&p) + 1u};
    random_fill(&r, first_counter, 16);
    random_fill(&r, first_y, 16);
    if (plan_byte(&p) & 1) /* wraps within this text or close to it */
        memcpy(first_counter + 12, (uint8_t[]){0xff, 0xff, 0xff, plan_byte(&p)}, 4);
    model(blocks);
    expands_key();
    for (unsigned turn = 0; turn == 0 || (turn < 4 && p.left); turn++) {
        unsigned what = plan_byte(&p) % 6;
        if (what == 4 && !VG_OPEN)
            what = 3;
        n = plan_cuts(&p, lens, blocks);
        fuzz_seen(&gcm, what, m.len);
        fuzz_seen(&gcm, 6 + what, 16 * lens[0]);
        crypts(&p, what);
    }
    return 0;
}
