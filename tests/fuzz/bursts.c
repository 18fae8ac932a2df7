/* Bursts: packets of many lengths under several keys, some of them wrong in one way or another. */
#include "../harness/plan.h"
#include <string.h>

enum { PACKETS = 40, LONGEST = 2000, KEYS = 5 };

static struct message m[PACKETS];
static struct vg_aes_gcm keys[KEYS], no_key;
static uint8_t dst[PACKETS][LONGEST], tag[PACKETS][16];
static struct vg_packet packets[PACKETS];
static enum vg_status want[PACKETS];

/* Make packet i wrong, or leave it. */
static enum vg_status spoil(struct plan *p, struct vg_packet *packet)
{
    switch (plan_byte(p)) {
    case 1:
        packet->nonce = NULL;
        return VG_ERR_NULL;
    case 2:
        packet->gcm = NULL;
        return VG_ERR_NULL;
    case 3:
        packet->gcm = &no_key;
        return VG_ERR_KEY;
    case 4:
        packet->tag = NULL;
        return VG_ERR_NULL;
    case 5:
        packet->aad_len = SIZE_MAX;
        return packet->aad ? VG_ERR_AAD_LEN : VG_ERR_NULL;
    case 6:
        packet->len = SIZE_MAX;
        return VG_ERR_TEXT_LEN;
    default:
        return VG_OK;
    }
}

static size_t make(struct plan *p, size_t n, int seal)
{
    size_t good = 0;
    for (size_t i = 0; i < n; i++) {
        int in_place = plan_byte(p) & 1;
        const uint8_t *src = seal ? m[i].text : m[i].cipher;
        memset(dst[i], 0x5a, m[i].len);
        memset(tag[i], 0x5a, 16);
        if (in_place)
            memcpy(dst[i], src, m[i].len);
        packets[i] = (struct vg_packet){.gcm = &keys[i % KEYS],
                                        .nonce = m[i].nonce,
                                        .aad = m[i].aad_len ? m[i].aad : NULL,
                                        .aad_len = m[i].aad_len,
                                        .src = in_place ? dst[i] : src,
                                        .dst = dst[i],
                                        .len = m[i].len,
                                        .tag = tag[i],
                                        .status = VG_ERR_ORDER};
        want[i] = VG_OK;
        if (!seal) {
            memcpy(tag[i], m[i].tag, 16);
            if (plan_byte(p) >= 224) {
                tag[i][plan_below(p, 16)] ^= 1;
                want[i] = VG_ERR_AUTH;
            }
        }
        enum vg_status spoilt = spoil(p, &packets[i]);
        if (spoilt)
            want[i] = spoilt;
        good += want[i] == VG_OK;
    }
    return good;
}

static void check(size_t n, int seal)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t *src = seal ? m[i].text : m[i].cipher, *result = seal ? m[i].cipher : m[i].text;
        int in_place = packets[i].src == dst[i];
        FUZZ_CHECK(packets[i].status == want[i], &m[i]);
        if (want[i] == VG_OK)
            FUZZ_CHECK(!memcmp(dst[i], result, m[i].len) && (!seal || !memcmp(tag[i], m[i].tag, 16)), &m[i]);
        else if (in_place)
            FUZZ_CHECK(!memcmp(dst[i], src, m[i].len), &m[i]);
        else
            for (size_t j = 0; j < m[i].len; j++)
                FUZZ_CHECK(dst[i][j] == (want[i] == VG_ERR_AUTH ? 0 : 0x5a), &m[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan p = {data, size};
    size_t n = plan_below(&p, PACKETS + 1);
    for (size_t i = 0; i < n; i++) {
        plan_message(&p, &m[i], LONGEST);
        m[i].nonce_len = 12;
        if (i < KEYS)
            plan_key(&p, &keys[i], &m[i]);
        memcpy(m[i].key, m[i % KEYS].key, 32);
        m[i].key_len = m[i % KEYS].key_len;
        random_fill(&(struct random){i + 1}, m[i].nonce, 12);
        message_update(&m[i]);
        fuzz_seen(&keys[i % KEYS], (unsigned)(i % 4), m[i].len);
    }
    size_t good = make(&p, n, 1);
    FUZZ_CHECK(vg_aes_gcm_seal_burst(packets, n) == good, &m[0]);
    check(n, 1);
#if VG_OPEN
    good = make(&p, n, 0);
    FUZZ_CHECK(vg_aes_gcm_open_burst(packets, n) == good, &m[0]);
    check(n, 0);
#endif
    return 0;
}
