/* One message from several places in one call: gather, split, chain. */
#include "../harness/plan.h"
#include <string.h>

static struct message m;
static struct vg_aes_gcm gcm;
static const uint8_t *nonce, *aad;
static size_t lens[FUZZ_CUTS_MAX], n;

static void is_sealed(const uint8_t *dst, const uint8_t *tag)
{
    FUZZ_CHECK(!memcmp(dst, m.cipher, m.len) && !memcmp(tag, m.tag, 16), &m);
}

#if VG_GATHER
static void gathers(struct plan *p)
{
    struct vg_slice slices[FUZZ_CUTS_MAX];
    uint8_t *src = plan_place(p, ROOM_SRC, m.len), *dst = plan_place(p, ROOM_DST, m.len);
    uint8_t *tag = plan_place(p, ROOM_TAG, 16), in_place = plan_byte(p);
    memcpy(src, m.text, m.len);
    for (size_t i = 0, at = 0; i < n; at += lens[i++]) {
        slices[i] = (struct vg_slice){lens[i] ? src + at : NULL, lens[i]};
        if (in_place >> i % 8 & 1) {
            memcpy(dst + at, m.text + at, lens[i]);
            slices[i].data = dst + at;
        }
    }
    size_t wrong = 1 + plan_below(p, 40);
    FUZZ_CHECK(vg_aes_gcm_seal_gather(&gcm, nonce, m.nonce_len, aad, m.aad_len, slices, n, dst, m.len + wrong, tag) ==
                   VG_ERR_SLICES,
               &m);
    FUZZ_CHECK(!vg_aes_gcm_seal_gather(&gcm, nonce, m.nonce_len, aad, m.aad_len, slices, n, dst, m.len, tag), &m);
    is_sealed(dst, tag);
}
#endif

#if VG_SPLIT
static void splits(struct plan *p)
{
    size_t src_len = lens[0];
    uint8_t *dst = plan_place(p, ROOM_DST, m.len), *tag = plan_place(p, ROOM_TAG, 16);
    memcpy(dst, m.text, m.len);
    const uint8_t *src = dst;
    if (plan_byte(p) & 1) {
        src = plan_copy(p, ROOM_SRC, m.text, src_len);
        memset(dst, 0x5a, src_len);
    }
    FUZZ_CHECK(!vg_aes_gcm_seal_split(&gcm, nonce, m.nonce_len, aad, m.aad_len, src, src_len, dst, m.len, tag), &m);
    is_sealed(dst, tag);
}
#endif

#if VG_CHAIN
static void chains(struct plan *p, int open, int forged)
{
    struct vg_segment segments[FUZZ_CUTS_MAX];
    uint8_t *src = plan_place(p, ROOM_SRC, m.len), *dst = plan_place(p, ROOM_DST, m.len);
    uint8_t *tag = plan_place(p, ROOM_TAG, 16), in_place = plan_byte(p);
    memcpy(src, open ? m.cipher : m.text, m.len);
    for (size_t i = 0, at = 0; i < n; at += lens[i++]) {
        segments[i] = (struct vg_segment){src + at, dst + at, lens[i]};
        if (in_place >> i % 8 & 1) {
            memcpy(dst + at, src + at, lens[i]);
            segments[i].src = dst + at;
        } else if (!lens[i]) {
            segments[i] = (struct vg_segment){NULL, NULL, 0};
        }
    }
    if (!open) {
        FUZZ_CHECK(!vg_aes_gcm_seal_chain(&gcm, nonce, m.nonce_len, aad, m.aad_len, segments, n, tag), &m);
        is_sealed(dst, tag);
        return;
    }
#if VG_OPEN
    memcpy(tag, m.tag, 16);
    if (forged)
        tag[plan_below(p, 16)] ^= (uint8_t)(1 << plan_below(p, 8));
    enum vg_status status = vg_aes_gcm_open_chain(&gcm, nonce, m.nonce_len, aad, m.aad_len, segments, n, tag, 16);
    FUZZ_CHECK(status == (forged ? VG_ERR_AUTH : VG_OK), &m);
    if (!forged) {
        FUZZ_CHECK(!memcmp(dst, m.text, m.len), &m);
        return;
    }
    for (size_t i = 0, at = 0; i < n; at += lens[i++])
        for (size_t j = 0; j < lens[i]; j++)
            FUZZ_CHECK(dst[at + j] == (in_place >> i % 8 & 1 ? m.cipher[at + j] : 0), &m);
#else
    (void)forged;
#endif
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan p = {data, size};
    plan_message(&p, &m, 17000);
    plan_key(&p, &gcm, &m);
    nonce = plan_copy(&p, ROOM_NONCE, m.nonce, m.nonce_len);
    aad = plan_copy(&p, ROOM_AAD, m.aad, m.aad_len);
    for (unsigned turn = 0; turn == 0 || (turn < 4 && p.left); turn++) {
        unsigned what = plan_byte(&p) % 5;
        n = plan_cuts(&p, lens, m.len);
        fuzz_seen(&gcm, what, m.len);
        fuzz_seen(&gcm, 5 + what, lens[0]);
        switch (what) {
#if VG_GATHER
        case 0:
            gathers(&p);
            break;
#endif
#if VG_SPLIT
        case 1:
            splits(&p);
            break;
#endif
#if VG_CHAIN
        case 2:
            chains(&p, 0, 0);
            break;
#if VG_OPEN
        case 3:
            chains(&p, 1, 0);
            break;
        case 4:
            chains(&p, 1, 1);
            break;
#endif
#endif
        }
    }
    return 0;
}
