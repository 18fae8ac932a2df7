/* Is what the library tells of itself true and complete? */
#include "harness/check.h"
#include "harness/setups.h"
#include <stdio.h>
#include <string.h>
#include <vg/vg.h>

Test(info, every_status_has_a_text_of_its_own)
{
    for (int a = VG_OK; a <= VG_ERR_SELF_TEST; a++) {
        const char *text = vg_status_text((enum vg_status)a);
        CHECK(text && strlen(text) > 5 && text[strlen(text) - 1] != '.', "status %d", a);
        CHECK(strcmp(text, vg_status_text((enum vg_status)(VG_ERR_SELF_TEST + 1))), "status %d is unknown", a);
        for (int b = VG_OK; b < a; b++)
            CHECK(strcmp(text, vg_status_text((enum vg_status)b)), "status %d and %d", a, b);
    }
    CHECK(vg_status_text((enum vg_status) - 1) && vg_status_text((enum vg_status)1000), "numbers without a meaning");
}

/* A word that no other text has. */
Test(info, texts_belong_to_their_statuses)
{
    static const struct {
        enum vg_status status;
        const char *word;
    } words[] = {
        {VG_OK, "success"},
        {VG_ERR_AUTH, "sealed"},
        {VG_ERR_CPU, "CPU"},
        {VG_ERR_KEY, "set up"},
        {VG_ERR_KEY_LEN, "key length"},
        {VG_ERR_NONCE_LEN, "nonce length"},
        {VG_ERR_AAD_LEN, "2^61-1"},
        {VG_ERR_TEXT_LEN, "2^36-32"},
        {VG_ERR_TAG_LEN, "tag length"},
        {VG_ERR_NULL, "null"},
        {VG_ERR_OVERLAP, "overlap"},
        {VG_ERR_SLICES, "pieces"},
        {VG_ERR_ORDER, "stream"},
        {VG_ERR_SELF_TEST, "known answer"},
        {(enum vg_status)(VG_ERR_SELF_TEST + 1), "unknown"},
        {(enum vg_status)1000, "unknown"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        CHECK(strstr(vg_status_text(words[i].status), words[i].word), "status %d: %s", (int)words[i].status,
              vg_status_text(words[i].status));
}

Test(info, features_have_names)
{
    static const char *const names[VG_CPU_FEATURE_COUNT] = {"ssse3", "aes",        "pclmulqdq", "avx",      "avx2",
                                                            "vaes",  "vpclmulqdq", "avx512f",   "avx512bw", "avx512vl"};
    for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT; bit++)
        CHECK(!strcmp(vg_cpu_feature_name(bit), names[bit]), "bit %u", bit);
    CHECK(!vg_cpu_feature_name(VG_CPU_FEATURE_COUNT) && !vg_cpu_feature_name(32) && !vg_cpu_feature_name(~0u),
          "beyond");
}

Test(info, one_variant_is_chosen_and_keys_name_it)
{
    struct vg_variant_info info;
    struct vg_aes_gcm gcm;
    unsigned chosen = 0;
    CHECK(!vg_aes_gcm_init(&gcm, (const uint8_t *)"0123456789abcdef0123456789abcdef", key_sizes[0]), "init");
    for (size_t v = 0; vg_variants(v, &info); v++) {
        CHECK(info.missing == (info.needs & ~vg_cpu_features()), "%s: missing %x", info.name, (unsigned)info.missing);
        CHECK(!info.chosen || (!info.missing && !strcmp(vg_variant_name(&gcm), info.name)), "%s", info.name);
        chosen += info.chosen != 0;
    }
    CHECK(chosen == 1, "%u are chosen", chosen);
    vg_aes_gcm_clear(&gcm);
    CHECK(!strcmp(vg_variant_name(&gcm), "none") && !strcmp(vg_variant_name(NULL), "none"), "no key");
}

/* What the configuration says, and never where a variant has no such choice. */
static const struct {
    const char *name;
    size_t split_from, copy_below, prepared_after, prepared_min_len;
} configured[] = {
#define CONFIGURED(V) VG_##V##_SPLIT_FROM, VG_##V##_COPY_BELOW, VG_##V##_PREPARED_AFTER, VG_##V##_PREPARED_MIN_LEN
    {"vaes_vpclmul_avx512", CONFIGURED(VAES_VPCLMUL_AVX512)},
    {"vaes_vpclmul", CONFIGURED(VAES_VPCLMUL)},
    {"aesni_pclmul_avx", CONFIGURED(AESNI_PCLMUL_AVX)},
    {"aesni_pclmul", CONFIGURED(AESNI_PCLMUL)},
    {"pclmul", 1 << 30, 1 << 30, VG_PCLMUL_PREPARED_AFTER, VG_PCLMUL_PREPARED_MIN_LEN},
    {"aesni", 1 << 30, 1 << 30, 0, 0},
    {"portable", 1 << 30, 1 << 30, 0, 0},
};

static size_t length_or_never(size_t len) { return (VG_GATHER || VG_SPLIT) && len < 1 << 30 ? len : VG_THRESHOLD_NONE; }

static size_t adaptive_or_never(size_t n) { return VG_CONTEXT_ADAPTIVE && n ? n : VG_THRESHOLD_NONE; }

static void check_thresholds(size_t v, const char *name)
{
    size_t i = 0, n = sizeof configured / sizeof *configured;
    while (i < n && strcmp(configured[i].name, name) != 0)
        i++;
    CHECK(i < n, "%s is not known here", name);
    const size_t split_from = length_or_never(configured[i].split_from),
                 got_split = vg_threshold(v, VG_THRESHOLD_SPLIT_FROM);
    const size_t copy_below = length_or_never(configured[i].copy_below),
                 got_copy = vg_threshold(v, VG_THRESHOLD_COPY_BELOW);
    CHECK(got_split == split_from && got_copy == copy_below, "%s: %zu, %zu", name, got_split, got_copy);
    const size_t after = adaptive_or_never(configured[i].prepared_after),
                 least = adaptive_or_never(configured[i].prepared_min_len);
    const size_t got_after = vg_threshold(v, VG_THRESHOLD_PREPARED_AFTER),
                 got_least = vg_threshold(v, VG_THRESHOLD_PREPARED_MIN_LEN);
    CHECK(got_after == after && got_least == least, "%s: %zu, %zu", name, got_after, got_least);
}

Test(info, thresholds)
{
    struct vg_variant_info info;
    for (size_t v = 0; vg_variants(v, &info); v++) {
        check_thresholds(v, info.name);
        CHECK(vg_threshold(v, (enum vg_threshold)99) == VG_THRESHOLD_NONE, "variant %zu: no such threshold", v);
    }
    CHECK(vg_threshold(vg_variant_count, VG_THRESHOLD_SPLIT_FROM) == VG_THRESHOLD_NONE, "no such variant");
    CHECK(vg_threshold(SIZE_MAX, VG_THRESHOLD_PREPARED_AFTER) == VG_THRESHOLD_NONE, "no such variant");
}

static int says(const char *symbol)
{
    const char *words = vg_config_string();
    size_t len = strlen(symbol);
    for (const char *p = words; (p = strstr(p, symbol)); p += len)
        if ((p == words || p[-1] == ' ') && (p[len] == ' ' || !p[len]))
            return 1;
    return 0;
}

/* What the configuration string says of a symbol is so; it leaves out what could not be chosen. */
static void agrees(const char *symbol, int value)
{
    char yes[64], no[64];
    snprintf(yes, sizeof yes, "%s=y", symbol);
    snprintf(no, sizeof no, "%s=n", symbol);
    CHECK(!(says(yes) && !value) && !(says(no) && value), "%s in %s", symbol, vg_config_string());
}

Test(info, configuration_string)
{
    CHECK(!strcmp(vg_config_string(), VG_CONFIG_STRING), "that of the header");
    CHECK(says("VG_OPEN=y") + says("VG_OPEN=n") == 1, "%s", vg_config_string());
    agrees("VG_AES128", VG_AES128);
    agrees("VG_AES192", VG_AES192);
    agrees("VG_AES256", VG_AES256);
    agrees("VG_OPEN", VG_OPEN);
    agrees("VG_STREAM", VG_STREAM);
    agrees("VG_DISPATCH_FIXED", VG_DISPATCH_FIXED);
    agrees("VG_CONTEXT_ADAPTIVE", VG_CONTEXT_ADAPTIVE);
    agrees("VG_CPU_FEATURES", VG_CPU_FEATURES);
}

/* Memory is known when compiling: a key has its powers, their halves, its round keys and 16 bytes more, and is aligned
 * for any kernel. */
Test(info, sizes_of_contexts)
{
    struct pair {
        char c;
        struct vg_aes_gcm gcm;
    };
    CHECK(sizeof(struct vg_aes_gcm) == 16 * (VG_POWERS + VG_POWER_HALVES + VG_ROUND_KEYS + 1), "%zu",
          sizeof(struct vg_aes_gcm));
    CHECK(offsetof(struct pair, gcm) == 16 && offsetof(struct vg_aes_gcm, round_key) % 16 == 0, "alignment");
    CHECK(sizeof(struct vg_aes_gcm_stream) <= 128, "%zu", sizeof(struct vg_aes_gcm_stream));
}
