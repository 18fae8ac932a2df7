/* Whole messages: seal and open, in place and out of place, any tag length, forgeries, overlaps. */
#include "../harness/plan.h"
#include <stdlib.h>
#include <string.h>

static struct message m;
static struct vg_aes_gcm gcm;
static const uint8_t *nonce, *aad;

static int all_zero(const uint8_t *p, size_t len)
{
    uint8_t sum = 0;
    for (size_t i = 0; i < len; i++)
        sum |= p[i];
    return !sum;
}

static void seals(struct plan *p)
{
    uint8_t *tag = plan_place(p, ROOM_TAG, 16), *dst = plan_place(p, ROOM_DST, m.len);
    if (plan_byte(p) & 1) {
        memcpy(dst, m.text, m.len);
        FUZZ_CHECK(!vg_aes_gcm_seal(&gcm, nonce, m.nonce_len, aad, m.aad_len, dst, m.len, tag), &m);
    } else {
        const uint8_t *src = plan_copy(p, ROOM_SRC, m.text, m.len);
        FUZZ_CHECK(!vg_aes_gcm_seal_to(&gcm, nonce, m.nonce_len, aad, m.aad_len, src, dst, m.len, tag), &m);
        FUZZ_CHECK(!m.len || !memcmp(src, m.text, m.len), &m);
    }
    FUZZ_CHECK(!memcmp(dst, m.cipher, m.len) && !memcmp(tag, m.tag, 16), &m);
}

/* dst and src overlap without being the same: nothing may be written. */
static void refuses_overlap(struct plan *p)
{
    uint8_t tag[16] = {0}, *text = plan_place(p, ROOM_DST, m.len + 32);
    size_t shift = 1 + plan_below(p, 32);
    if (shift >= m.len)
        return;
    memcpy(text, m.text, m.len);
    enum vg_status up = vg_aes_gcm_seal_to(&gcm, nonce, m.nonce_len, aad, m.aad_len, text, text + shift, m.len, tag);
    enum vg_status down = vg_aes_gcm_seal_to(&gcm, nonce, m.nonce_len, aad, m.aad_len, text + shift, text, m.len, tag);
    FUZZ_CHECK(up == VG_ERR_OVERLAP && down == VG_ERR_OVERLAP && !memcmp(text, m.text, m.len) && all_zero(tag, 16), &m);
}

#if VG_OPEN
static int tag_len_is_allowed(size_t tag_len)
{
    return tag_len == 16 || (VG_TRUNCATED_TAGS && (tag_len == 4 || tag_len == 8 || (tag_len >= 12 && tag_len < 16)));
}

/* Open cipher; `text` is what must come of it, NULL if it is forged. */
static void opens(struct plan *p, const uint8_t *cipher, const uint8_t *text, const uint8_t *tag, size_t tag_len)
{
    uint8_t *dst = plan_place(p, ROOM_DST, m.len);
    const uint8_t *tag_there = plan_copy(p, ROOM_TAG, tag, tag_len);
    int in_place = plan_byte(p) & 1;
    enum vg_status status;
    if (in_place) {
        memcpy(dst, cipher, m.len);
        status = vg_aes_gcm_open(&gcm, nonce, m.nonce_len, aad, m.aad_len, dst, m.len, tag_there, tag_len);
    } else {
        const uint8_t *src = plan_copy(p, ROOM_SRC, cipher, m.len);
        memset(dst, 0x5a, m.len);
        status = vg_aes_gcm_open_to(&gcm, nonce, m.nonce_len, aad, m.aad_len, src, dst, m.len, tag_there, tag_len);
    }
    if (!tag_len_is_allowed(tag_len)) {
        FUZZ_CHECK(status == (tag_there ? VG_ERR_TAG_LEN : VG_ERR_NULL), &m);
        for (size_t i = 0; i < m.len; i++)
            FUZZ_CHECK(dst[i] == (in_place ? cipher[i] : 0x5a), &m);
    } else if (text) {
        FUZZ_CHECK(status == VG_OK && !memcmp(dst, text, m.len), &m);
    } else {
        FUZZ_CHECK(status == VG_ERR_AUTH, &m);
        FUZZ_CHECK(in_place ? !memcmp(dst, cipher, m.len) : all_zero(dst, m.len), &m);
    }
}

static void refuses_forgery(struct plan *p)
{
    static uint8_t cipher[MESSAGE_TEXT_MAX];
    uint8_t tag[17], bit = (uint8_t)(1 << plan_below(p, 8));
    size_t tag_len = plan_byte(p) & 1 ? 16 : plan_below(p, 18), at = plan_below(p, 65536);
    memcpy(tag, m.tag, 16);
    tag[16] = 0;
    memcpy(cipher, m.cipher, m.len);
    if (m.len && plan_byte(p) & 1)
        cipher[at % m.len] ^= bit;
    else if (tag_len)
        tag[at % tag_len] ^= bit;
    opens(p, cipher, NULL, tag, tag_len);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan p = {data, size};
    plan_message(&p, &m, 17000);
    plan_key(&p, &gcm, &m);
    nonce = plan_copy(&p, ROOM_NONCE, m.nonce, m.nonce_len);
    aad = plan_copy(&p, ROOM_AAD, m.aad, m.aad_len);
    for (unsigned turn = 0; turn == 0 || (turn < 6 && p.left); turn++) {
        unsigned what = plan_byte(&p) % 4;
        fuzz_seen(&gcm, what, m.len);
        fuzz_seen(&gcm, 4 + what, m.aad_len);
        switch (what) {
        case 0:
            seals(&p);
            break;
        case 1:
            refuses_overlap(&p);
            break;
#if VG_OPEN
        case 2: {
            size_t tag_len = plan_byte(&p) & 1 ? 16 : plan_below(&p, 17);
            opens(&p, m.cipher, m.text, m.tag, tag_len);
            break;
        }
        case 3:
            refuses_forgery(&p);
            break;
#endif
        }
    }
    return 0;
}
