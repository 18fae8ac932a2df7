/* Streams: calls in any order, wrong ones too, against a model that keeps what each stream was given. Two streams share
 * a key, and each may become a copy of the other. */
#include "../harness/plan.h"
#include <string.h>

enum phase { ENDED, AAD, ENCRYPTING, DECRYPTING };

/* m.text and m.aad are what the stream has taken; out is what it made of the text. */
struct model {
    struct vg_aes_gcm_stream stream;
    enum phase phase;
    struct message m;
    uint8_t out[MESSAGE_TEXT_MAX];
};

static struct vg_aes_gcm gcm;
static struct model models[2];

static void begins(struct plan *p, struct model *s)
{
    struct random r = {plan_byte(p) + 1u};
    s->m.nonce_len = VG_ANY_NONCE && plan_byte(p) >= 192 ? plan_len(p, 299) : 12;
    random_fill(&r, s->m.nonce, s->m.nonce_len);
    const uint8_t *nonce = plan_copy(p, ROOM_NONCE, s->m.nonce, s->m.nonce_len);
    enum vg_status status = vg_aes_gcm_stream_init(&s->stream, &gcm, nonce, s->m.nonce_len);
    if (!s->m.nonce_len) {
        FUZZ_CHECK(status == VG_ERR_NULL, &s->m);
        s->m.nonce_len = 12;
        begins(p, s);
        return;
    }
    FUZZ_CHECK(!status, &s->m);
    s->phase = AAD;
    s->m.aad_len = s->m.len = 0;
}

static void takes_aad(struct plan *p, struct model *s)
{
    struct random r = {plan_byte(p) + 1u};
    uint8_t bytes[300];
    size_t len = plan_len(p, sizeof bytes);
    if (s->m.aad_len + len > MESSAGE_AAD_MAX)
        return;
    random_fill(&r, bytes, len);
    enum vg_status status = vg_aes_gcm_stream_aad(&s->stream, plan_copy(p, ROOM_AAD, bytes, len), len);
    FUZZ_CHECK(status == (s->phase == AAD ? VG_OK : VG_ERR_ORDER), &s->m);
    if (s->phase == AAD) {
        memcpy(s->m.aad + s->m.aad_len, bytes, len);
        s->m.aad_len += len;
    }
}

static enum vg_status crypts(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst, size_t len,
                             int encrypt)
{
#if VG_OPEN
    if (!encrypt)
        return src == dst ? vg_aes_gcm_stream_decrypt(stream, dst, len)
                          : vg_aes_gcm_stream_decrypt_to(stream, src, dst, len);
#endif
    (void)encrypt;
    return src == dst ? vg_aes_gcm_stream_encrypt(stream, dst, len)
                      : vg_aes_gcm_stream_encrypt_to(stream, src, dst, len);
}

static void takes_text(struct plan *p, struct model *s)
{
    static uint8_t bytes[5000];
    struct random r = {plan_byte(p) + 1u};
    size_t len = plan_len(p, sizeof bytes);
    int encrypt = !VG_OPEN || plan_byte(p) % 8 != 0;
    if (s->phase == DECRYPTING)
        encrypt = !encrypt; /* most calls are in order */
    if (!VG_OPEN)
        encrypt = 1;
    enum phase phase = encrypt ? ENCRYPTING : DECRYPTING;
    if (s->m.len + len > MESSAGE_TEXT_MAX)
        return;
    random_fill(&r, bytes, len);
    uint8_t *dst = plan_place(p, ROOM_DST, len);
    const uint8_t *src = dst;
    memcpy(dst, bytes, len);
    if (plan_byte(p) & 1)
        src = plan_copy(p, ROOM_SRC, bytes, len);
    enum vg_status status = crypts(&s->stream, src, dst, len, encrypt);
    if (s->phase != AAD && s->phase != phase) {
        FUZZ_CHECK(status == VG_ERR_ORDER && !memcmp(dst, bytes, len), &s->m);
        return;
    }
    FUZZ_CHECK(!status, &s->m);
    s->phase = phase;
    memcpy(s->m.text + s->m.len, bytes, len);
    memcpy(s->out + s->m.len, dst, len);
    s->m.len += len;
}

/* Counter mode is its own inverse, so what decryption was given is the ciphertext of what it handed out. */
static void has_ended(struct model *s, uint8_t tag[16])
{
    static struct message whole;
    whole = s->m;
    if (s->phase == DECRYPTING)
        memcpy(whole.text, s->out, whole.len);
    message_update(&whole);
    FUZZ_CHECK(!memcmp(whole.cipher, s->phase == DECRYPTING ? s->m.text : s->out, whole.len), &s->m);
    memcpy(tag, whole.tag, 16);
}

static void finishes(struct plan *p, struct model *s)
{
    uint8_t want[16], *tag = plan_place(p, ROOM_TAG, 16);
    enum vg_status status = vg_aes_gcm_stream_finish(&s->stream, tag);
    if (s->phase != AAD && s->phase != ENCRYPTING) {
        FUZZ_CHECK(status == VG_ERR_ORDER, &s->m);
        return;
    }
    FUZZ_CHECK(!status, &s->m);
    has_ended(s, want);
    FUZZ_CHECK(!memcmp(tag, want, 16), &s->m);
    s->phase = ENDED;
}

#if VG_OPEN
static void verifies(struct plan *p, struct model *s)
{
    uint8_t want[16] = {0};
    int in_order = s->phase == AAD || s->phase == DECRYPTING, forged = plan_byte(p) & 1;
    if (in_order)
        has_ended(s, want);
    if (forged)
        want[plan_below(p, 16)] ^= (uint8_t)(1 << plan_below(p, 8));
    const uint8_t *tag = plan_copy(p, ROOM_TAG, want, 16);
    enum vg_status status = vg_aes_gcm_stream_verify(&s->stream, tag, 16);
    FUZZ_CHECK(status == (!in_order ? VG_ERR_ORDER : forged ? VG_ERR_AUTH : VG_OK), &s->m);
    if (in_order)
        s->phase = ENDED;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan p = {data, size};
    static struct message m;
    plan_message(&p, &m, 0);
    plan_key(&p, &gcm, &m);
    for (unsigned i = 0; i < 2; i++) {
        memset(&models[i].stream, 0, sizeof models[i].stream);
        models[i].phase = ENDED;
        models[i].m.key_len = m.key_len;
        models[i].m.aad_len = models[i].m.len = 0;
        memcpy(models[i].m.key, m.key, m.key_len);
        if (plan_byte(&p) < 240)
            begins(&p, &models[i]);
    }
    for (unsigned turn = 0; turn < 100 && p.left; turn++) {
        uint8_t what = plan_byte(&p);
        struct model *s = &models[what >> 7];
        fuzz_seen(&gcm, what % 8 + 8 * (s->phase > AAD), s->m.len % 16 * 16 + s->m.aad_len % 16);
        switch (what % 8) {
        case 0:
        case 1:
        case 2:
            takes_text(&p, s);
            break;
        case 3:
            takes_aad(&p, s);
            break;
        case 4:
            finishes(&p, s);
            break;
        case 5:
#if VG_OPEN
            verifies(&p, s);
#endif
            break;
        case 6:
            begins(&p, s);
            break;
        default:
            models[!(what >> 7)] = *s;
        }
    }
    for (unsigned i = 0; i < 2; i++)
        finishes(&p, &models[i]);
    return 0;
}
