/* Is every stream call in the wrong order, or with wrong arguments, refused without a trace, and every right one done?
 */
#include "harness/check.h"
#include "harness/guard.h"
#include "harness/setups.h"
#include <string.h>
#include <vg/vg.h>

#if VG_STREAM
enum state { NEVER_BEGUN, BEGUN, AAD_GIVEN, ENCRYPTING, DECRYPTING, FINISHED, VERIFIED, REFUSED, STATES };
enum call { AAD, ENCRYPT, ENCRYPT_TO, FINISH, DECRYPT, DECRYPT_TO, VERIFY, CALLS };

static const char *const state_name[STATES] = {"never begun", "begun",    "AAD given", "encrypting",
                                               "decrypting",  "finished", "verified",  "refused"};
static const char *const call_name[CALLS] = {"aad",     "encrypt",    "encrypt_to", "finish",
                                             "decrypt", "decrypt_to", "verify"};

/* Whether a call is in order in a state. */
static const uint8_t in_order[STATES][CALLS] = {
    [BEGUN] = {1, 1, 1, 1, 1, 1, 1},
    [AAD_GIVEN] = {1, 1, 1, 1, 1, 1, 1},
    [ENCRYPTING] = {0, 1, 1, 1, 0, 0, 0},
    [DECRYPTING] = {0, 0, 0, 0, 1, 1, 1},
};

static struct guard room;
static struct vg_aes_gcm gcm;
static struct vg_aes_gcm_stream stream;
static uint8_t text[64], dst[64], tag[16];
static const uint8_t nonce[12] = "wrong order";

static void begin(void)
{
    room = guard_new(4096);
    cr_assert(!vg_aes_gcm_init(&gcm, (const uint8_t *)"0123456789abcdef0123456789abcdef", key_sizes[0]));
}

static enum vg_status call(enum call c, const uint8_t *src, uint8_t *to, size_t len)
{
    switch (c) {
    case AAD:
        return vg_aes_gcm_stream_aad(&stream, src, len);
    case ENCRYPT:
        return vg_aes_gcm_stream_encrypt(&stream, to, len);
    case ENCRYPT_TO:
        return vg_aes_gcm_stream_encrypt_to(&stream, src, to, len);
    case FINISH:
        return vg_aes_gcm_stream_finish(&stream, to);
#if VG_OPEN
    case DECRYPT:
        return vg_aes_gcm_stream_decrypt(&stream, to, len);
    case DECRYPT_TO:
        return vg_aes_gcm_stream_decrypt_to(&stream, src, to, len);
    case VERIFY:
        return vg_aes_gcm_stream_verify(&stream, to, len);
#else
    case DECRYPT:
    case DECRYPT_TO:
    case VERIFY:
#endif
    case CALLS:
        break;
    }
    return VG_OK;
}

static int is_there(int what) { return VG_OPEN || (what != DECRYPT && what != DECRYPT_TO && what != VERIFY); }

static void must(enum vg_status status) { cr_assert(status == VG_OK, "status %d", (int)status); }

static void enter(enum state state)
{
    if (state == NEVER_BEGUN) {
        memset(&stream, 0, sizeof stream);
        return;
    }
    must(vg_aes_gcm_stream_init(&stream, &gcm, nonce, 12));
    if (state == BEGUN)
        return;
    must(call(AAD, text, NULL, 7));
    if (state == ENCRYPTING || state == FINISHED)
        must(call(ENCRYPT_TO, text, dst, 21));
    if (state == FINISHED)
        must(call(FINISH, NULL, tag, 16));
#if VG_OPEN
    if (state == DECRYPTING || state == VERIFIED || state == REFUSED)
        must(call(DECRYPT_TO, text, dst, 21));
    if (state == VERIFIED) {
        /* The tag of this ciphertext is that of its plaintext sealed; sealing it twice gives both. */
        uint8_t plain[21];
        must(vg_aes_gcm_seal_to(&gcm, nonce, 12, text, 7, text, plain, 21, tag));
        must(vg_aes_gcm_seal(&gcm, nonce, 12, text, 7, plain, 21, tag));
        must(call(VERIFY, NULL, tag, 16));
    }
    if (state == REFUSED)
        cr_assert(call(VERIFY, NULL, (uint8_t[16]){1}, 16) == VG_ERR_AUTH);
#endif
}

Test(stream_order, every_call_in_every_state, .init = begin)
{
    for (int s = 0; s < STATES; s++)
        for (int c = 0; c < CALLS; c++) {
            if ((!VG_OPEN && (s == DECRYPTING || s == VERIFIED || s == REFUSED)) || !is_there(c))
                continue;
            enter((enum state)s);
            struct vg_aes_gcm_stream same = stream;
            uint8_t out[64], old[64];
            memset(out, 0x44, 64);
            memset(old, 0x44, 64);
            enum vg_status status = call((enum call)c, text, out, 16);
            if (in_order[s][c]) {
                enum vg_status want = c == VERIFY ? VG_ERR_AUTH : VG_OK;
                CHECK(status == want, "%s while %s: status %d", call_name[c], state_name[s], (int)status);
                CHECK(memcmp(&stream, &same, sizeof same), "%s while %s: nothing happened", call_name[c],
                      state_name[s]);
            } else {
                CHECK(status == VG_ERR_ORDER, "%s while %s: status %d", call_name[c], state_name[s], (int)status);
                CHECK(!memcmp(&stream, &same, sizeof same) && !memcmp(out, old, 64), "%s while %s: something changed",
                      call_name[c], state_name[s]);
            }
        }
}

/* An empty piece of text also ends the AAD and chooses the direction: no order depends on lengths. */
Test(stream_order, empty_pieces_count, .init = begin)
{
    enter(AAD_GIVEN);
    CHECK(!vg_aes_gcm_stream_encrypt(&stream, NULL, 0), "empty encrypt");
    CHECK(vg_aes_gcm_stream_aad(&stream, NULL, 0) == VG_ERR_ORDER, "aad after it");
    CHECK(!vg_aes_gcm_stream_encrypt_to(&stream, NULL, NULL, 0), "empty encrypt_to");
    CHECK(!vg_aes_gcm_stream_finish(&stream, tag), "finish");
#if VG_OPEN
    enter(AAD_GIVEN);
    CHECK(!vg_aes_gcm_stream_decrypt(&stream, NULL, 0), "empty decrypt");
    CHECK(vg_aes_gcm_stream_encrypt(&stream, NULL, 0) == VG_ERR_ORDER, "encrypt after it");
    CHECK(!vg_aes_gcm_stream_verify(&stream, tag, 16), "verify what finish made of the same message");
#endif
}

/* All calls but finish and verify, which end the stream: a wrong argument leaves it as it was. */
static void refused(enum call c, const uint8_t *src, uint8_t *to, size_t len, enum vg_status want, const char *what)
{
    struct vg_aes_gcm_stream same = stream;
    enum vg_status status = call(c, src, to, len);
    CHECK(status == want, "%s, %s: status %d, not %d", call_name[c], what, (int)status, (int)want);
    CHECK(!memcmp(&stream, &same, sizeof same), "%s, %s: the stream changed", call_name[c], what);
}

Test(stream_order, wrong_arguments, .init = begin)
{
    uint8_t *untouchable = room.low - 4096, *inside = room.low + 1000;
    for (int c = 0; c < CALLS; c++) {
        if (!is_there(c))
            continue;
        enter(AAD_GIVEN);
        if (c == FINISH || c == VERIFY) {
            refused((enum call)c, NULL, NULL, 16, VG_ERR_NULL, "tag NULL");
            continue;
        }
        refused((enum call)c, NULL, NULL, 1, VG_ERR_NULL, "NULL");
        refused((enum call)c, untouchable, untouchable, SIZE_MAX, c == AAD ? VG_ERR_AAD_LEN : VG_ERR_TEXT_LEN,
                "SIZE_MAX");
        refused((enum call)c, untouchable, untouchable, c == AAD ? VG_AAD_MAX - 6 : VG_TEXT_MAX + 1,
                c == AAD ? VG_ERR_AAD_LEN : VG_ERR_TEXT_LEN, "a byte too much");
        for (size_t by = 1; by < 50 && (c == ENCRYPT_TO || c == DECRYPT_TO); by++) {
            refused((enum call)c, inside, inside + by, 50, VG_ERR_OVERLAP, "dst behind src");
            refused((enum call)c, inside + by, inside, 50, VG_ERR_OVERLAP, "dst before src");
        }
    }
#if VG_OPEN
    for (size_t tag_len = 0; tag_len <= 40; tag_len++)
        if (!(tag_len == 16 || (VG_TRUNCATED_TAGS && (tag_len == 4 || tag_len == 8 || (tag_len > 11 && tag_len < 16)))))
            refused(VERIFY, NULL, tag, tag_len, VG_ERR_TAG_LEN, "tag length");
    refused(VERIFY, NULL, untouchable, SIZE_MAX, VG_ERR_TAG_LEN, "tag length SIZE_MAX");
    CHECK(vg_aes_gcm_stream_decrypt(NULL, text, 1) == VG_ERR_NULL, "stream NULL");
    CHECK(vg_aes_gcm_stream_decrypt_to(NULL, text, dst, 1) == VG_ERR_NULL, "stream NULL");
    CHECK(vg_aes_gcm_stream_verify(NULL, tag, 16) == VG_ERR_NULL, "stream NULL");
#endif
    CHECK(vg_aes_gcm_stream_aad(NULL, text, 1) == VG_ERR_NULL, "stream NULL");
    CHECK(vg_aes_gcm_stream_encrypt(NULL, text, 1) == VG_ERR_NULL, "stream NULL");
    CHECK(vg_aes_gcm_stream_encrypt_to(NULL, text, dst, 1) == VG_ERR_NULL, "stream NULL");
    CHECK(vg_aes_gcm_stream_finish(NULL, tag) == VG_ERR_NULL, "stream NULL");
}

static void init_refused(const struct vg_aes_gcm *key, const uint8_t *n, size_t nonce_len, enum vg_status want)
{
    struct vg_aes_gcm_stream same = stream;
    enum vg_status status = vg_aes_gcm_stream_init(&stream, key, n, nonce_len);
    CHECK(status == want && !memcmp(&stream, &same, sizeof same), "nonce of %zu: status %d, not %d", nonce_len,
          (int)status, (int)want);
}

Test(stream_order, wrong_arguments_of_init, .init = begin)
{
    static const struct vg_aes_gcm cleared;
    enter(ENCRYPTING);
    init_refused(NULL, nonce, 12, VG_ERR_NULL);
    init_refused(&gcm, NULL, 12, VG_ERR_NULL);
    init_refused(&cleared, nonce, 12, VG_ERR_KEY);
    init_refused(&gcm, nonce, 0, VG_ERR_NONCE_LEN);
    init_refused(&gcm, room.low - 4096, VG_NONCE_MAX + 1, VG_ERR_NONCE_LEN);
    init_refused(&gcm, room.low - 4096, SIZE_MAX, VG_ERR_NONCE_LEN);
    CHECK(vg_aes_gcm_stream_init(NULL, &gcm, nonce, 12) == VG_ERR_NULL, "stream NULL");
}

/* The limits are those of the sum: a stream that has nearly all behind it takes what is left and not a byte more. */
Test(stream_order, limits_of_the_sum, .init = begin)
{
    enter(ENCRYPTING);
    stream.len = VG_TEXT_MAX - 32;
    refused(ENCRYPT, NULL, dst, 33, VG_ERR_TEXT_LEN, "a byte too much");
    CHECK(!call(ENCRYPT, NULL, dst, 31), "all but one");
    refused(ENCRYPT, NULL, dst, 2, VG_ERR_TEXT_LEN, "a byte too much");
    CHECK(!call(ENCRYPT, NULL, dst, 1), "the last one");
    refused(ENCRYPT, NULL, dst, 1, VG_ERR_TEXT_LEN, "one more");
    CHECK(!call(ENCRYPT, NULL, NULL, 0), "none more");
    CHECK(!call(FINISH, NULL, tag, 16), "finish");
    enter(BEGUN);
    stream.aad_len = VG_AAD_MAX - 15;
    refused(AAD, text, NULL, 16, VG_ERR_AAD_LEN, "a byte too much");
    CHECK(!call(AAD, text, NULL, 15), "the last ones");
    refused(AAD, text, NULL, 1, VG_ERR_AAD_LEN, "one more");
}

/* A stream that ended holds nothing of the key or the text. */
Test(stream_order, an_ended_stream_is_wiped, .init = begin)
{
    static const struct vg_aes_gcm_stream zero;
    enter(FINISHED);
    CHECK(!VG_WIPE || !memcmp(&stream, &zero, sizeof zero), "finished");
#if VG_OPEN
    enter(VERIFIED);
    CHECK(!VG_WIPE || !memcmp(&stream, &zero, sizeof zero), "verified");
    enter(REFUSED);
    CHECK(!VG_WIPE || !memcmp(&stream, &zero, sizeof zero), "refused");
#endif
}
#endif
