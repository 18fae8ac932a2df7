/* A program that uses every call of this build, in the words that C11 and C++11 share. It seals, opens, and exits 0. */
#include <string.h>
#include <vg/vg.h>

static struct vg_aes_gcm gcm;
static uint8_t key[32], nonce[12], text[100], other[100], tag[16];

static int seals(void)
{
    int wrong = vg_aes_gcm_seal(&gcm, nonce, 12, NULL, 0, text, 100, tag) != VG_OK;
    wrong |= vg_aes_gcm_seal_to(&gcm, nonce, 12, text, 5, text, other, 100, tag) != VG_OK;
#if VG_GATHER
    struct vg_slice slice = {text, 100};
    wrong |= vg_aes_gcm_seal_gather(&gcm, nonce, 12, NULL, 0, &slice, 1, other, 100, tag) != VG_OK;
#endif
#if VG_SPLIT
    wrong |= vg_aes_gcm_seal_split(&gcm, nonce, 12, NULL, 0, text, 50, other, 100, tag) != VG_OK;
#endif
#if VG_CHAIN
    struct vg_segment segment = {text, other, 100};
    wrong |= vg_aes_gcm_seal_chain(&gcm, nonce, 12, NULL, 0, &segment, 1, tag) != VG_OK;
#endif
#if VG_BURST
    struct vg_packet packet = {&gcm, nonce, NULL, 0, text, other, 100, tag, VG_OK};
    wrong |= vg_aes_gcm_seal_burst(&packet, 1) != 1;
#endif
    return wrong;
}

#if VG_OPEN
static int opens(void)
{
    int wrong = vg_aes_gcm_seal_to(&gcm, nonce, 12, NULL, 0, text, other, 100, tag) != VG_OK;
    wrong |= vg_aes_gcm_open_to(&gcm, nonce, 12, NULL, 0, other, text, 100, tag, 16) != VG_OK;
#if VG_CHAIN
    struct vg_segment segment = {other, text, 100};
    wrong |= vg_aes_gcm_open_chain(&gcm, nonce, 12, NULL, 0, &segment, 1, tag, 16) != VG_OK;
#endif
#if VG_BURST
    struct vg_packet packet = {&gcm, nonce, NULL, 0, other, text, 100, tag, VG_OK};
    wrong |= vg_aes_gcm_open_burst(&packet, 1) != 1;
#endif
    wrong |= vg_aes_gcm_open(&gcm, nonce, 12, NULL, 0, other, 100, tag, 16) != VG_OK;
    return wrong | (memcmp(text, other, 100) != 0);
}
#endif

#if VG_STREAM
static int streams(void)
{
    struct vg_aes_gcm_stream stream;
    int wrong = vg_aes_gcm_stream_init(&stream, &gcm, nonce, 12) != VG_OK;
    wrong |= vg_aes_gcm_stream_aad(&stream, NULL, 0) != VG_OK;
    wrong |= vg_aes_gcm_stream_encrypt(&stream, text, 50) != VG_OK;
    wrong |= vg_aes_gcm_stream_encrypt_to(&stream, text + 50, other, 50) != VG_OK;
    wrong |= vg_aes_gcm_stream_finish(&stream, tag) != VG_OK;
#if VG_OPEN
    wrong |= vg_aes_gcm_stream_init(&stream, &gcm, nonce, 12) != VG_OK;
    wrong |= vg_aes_gcm_stream_decrypt(&stream, text, 50) != VG_OK;
    wrong |= vg_aes_gcm_stream_decrypt_to(&stream, other, text + 50, 50) != VG_OK;
    wrong |= vg_aes_gcm_stream_verify(&stream, tag, 16) != VG_OK;
#endif
    return wrong;
}
#endif

#if VG_BLOCKS
static int blocks(void)
{
    uint8_t counter[16] = {0}, y[16] = {0}, round_keys[240];
    int wrong = vg_aes_expand_key(round_keys, key, VG_AES128 ? 16 : VG_AES192 ? 24 : 32) != VG_OK;
    wrong |= vg_aes_ctr32(&gcm, counter, text, 5) != VG_OK;
    wrong |= vg_aes_ctr32_to(&gcm, counter, text, other, 5) != VG_OK;
    wrong |= vg_ghash(&gcm, y, text, 5) != VG_OK;
    wrong |= vg_aes_gcm_encrypt_blocks(&gcm, counter, y, text, 5) != VG_OK;
    wrong |= vg_aes_gcm_encrypt_blocks_to(&gcm, counter, y, text, other, 5) != VG_OK;
#if VG_OPEN
    wrong |= vg_aes_gcm_decrypt_blocks(&gcm, counter, y, text, 5) != VG_OK;
#endif
    return wrong;
}
#endif

int main(void)
{
    struct vg_variant_info info;
    int wrong = vg_aes_gcm_init(&gcm, key, VG_AES128 ? 16 : VG_AES192 ? 24 : 32) != VG_OK;
    wrong |= vg_aes_gcm_prepare(&gcm) != VG_OK || seals();
#if VG_OPEN
    wrong |= opens();
#endif
#if VG_STREAM
    wrong |= streams();
#endif
#if VG_BLOCKS
    wrong |= blocks();
#endif
#if VG_SELF_TEST
    wrong |= vg_self_test() != VG_OK;
#endif
    wrong |= !vg_variants(0, &info) || !*vg_variant_name(&gcm) || !*vg_config_string() || !*vg_status_text(VG_OK);
    wrong |= vg_threshold(0, VG_THRESHOLD_SPLIT_FROM) == 0 || !vg_cpu_feature_name(0);
    wrong |= (vg_cpu_features() & ~0x3ffu) != 0;
#if VG_CPU_FEATURES
    uint32_t features;
    const char *bad;
    size_t bad_len;
    wrong |= vg_cpu_request("none", &features, &bad, &bad_len) != VG_OK;
#endif
    vg_aes_gcm_clear(&gcm);
    return wrong;
}
