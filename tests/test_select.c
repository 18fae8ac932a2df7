/* Does the selector see what a CPU and its OS can do, and take the best variant of this build, whatever else is set? */
#include "harness/check.h"
#include "harness/setups.h"
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vg/vg.h>

/* What each variant needs, best first, told apart from the library's own tables. */
#define SSE_ROW (VG_CPU_AES | VG_CPU_SSSE3 | VG_CPU_PCLMULQDQ)
#define AVX_ROW (SSE_ROW | VG_CPU_AVX)
#define YMM_ROW (AVX_ROW | VG_CPU_AVX2 | VG_CPU_VAES | VG_CPU_VPCLMULQDQ)
#define ZMM_ROW (YMM_ROW | VG_CPU_AVX512F | VG_CPU_AVX512BW | VG_CPU_AVX512VL)

static const struct row {
    const char *name;
    uint32_t needs;
    int wide;
} rows[] = {
    {"vaes_vpclmul_avx512", ZMM_ROW, 1},
    {"vaes_vpclmul", YMM_ROW, 0},
    {"aesni_pclmul_avx", AVX_ROW, 0},
    {"aesni_pclmul", SSE_ROW, 0},
    {"pclmul", VG_CPU_SSSE3 | VG_CPU_PCLMULQDQ, 0},
    {"aesni", VG_CPU_AES | VG_CPU_SSSE3, 0},
    {"portable", 0, 0},
};
enum { ROWS = sizeof rows / sizeof *rows, ALL = (1 << VG_CPU_FEATURE_COUNT) - 1 };

/* The number of a variant in this build, or vg_variant_count. */
static uint32_t number_of(const char *name)
{
    struct vg_variant_info info;
    uint32_t v = 0;
    while (vg_variants(v, &info) && strcmp(info.name, name))
        v++;
    return v;
}

/* What should be chosen: the first row of this build that can run; one that is to be avoided only if nothing else can.
 */
static uint32_t expected(uint32_t state)
{
    uint32_t last_resort = vg_variant_count;
    if (state & VG_CPU_BAD_REQUEST)
        return vg_variant_count;
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        uint32_t v = number_of(row->name);
        if (v == vg_variant_count || (row->needs & ~state))
            continue;
        if (!row->wide || !(state & VG_CPU_AVOID_ZMM))
            return v;
        last_resort = v;
    }
    return last_resort;
}

Test(select, every_variant_of_this_build_is_known_and_in_order)
{
    struct vg_variant_info info;
    size_t at = 0;
    for (size_t v = 0; vg_variants(v, &info); v++) {
        while (at < ROWS && strcmp(rows[at].name, info.name))
            at++;
        CHECK(at < ROWS, "%s is unknown, or not at its place", info.name);
        CHECK(info.needs == rows[at].needs, "%s needs %x", info.name, (unsigned)info.needs);
    }
    CHECK(at > 0 || number_of(rows[0].name) == 0, "there is a variant");
    CHECK(!vg_variants(vg_variant_count, &info) && !vg_variants(SIZE_MAX, &info), "no variant behind the last");
}

/* All sets of features there can be, sensible or not. */
Test(select, every_set_of_features)
{
    for (uint32_t features = 0; features <= ALL; features++)
        for (int policy = 0; policy < 4; policy++) {
            uint32_t state =
                VG_CPU_FOUND | features | (policy & 1 ? VG_CPU_AVOID_ZMM : 0) | (policy & 2 ? VG_CPU_BAD_REQUEST : 0);
            CHECK(vg_select(state) == expected(state), "state %08x: %u", (unsigned)state, (unsigned)vg_select(state));
        }
}

/* CPUID bits. */
enum { OSXSAVE = 1 << 27, XSAVE = 1 << 26 };
#define L1_SSSE3  (1u << 9)
#define L1_AES    (1u << 25)
#define L1_PCLMUL (1u << 1)
#define L1_AVX    (1u << 28)
#define L7B_AVX2  (1u << 5)
#define L7B_512F  (1u << 16)
#define L7B_512BW (1u << 30)
#define L7B_512VL (1u << 31)
#define L7C_VAES  (1u << 9)
#define L7C_VPCLM (1u << 10)
#define L1_FULL   (L1_SSSE3 | L1_AES | L1_PCLMUL | L1_AVX | OSXSAVE | XSAVE)
#define L7B_512   (L7B_512F | L7B_512BW | L7B_512VL)
#define L7B_FULL  (L7B_AVX2 | L7B_512)
#define L7C_FULL  (L7C_VAES | L7C_VPCLM)
#define NO_ZMM    (uint32_t)(ALL & ~(VG_CPU_AVX512F | VG_CPU_AVX512BW | VG_CPU_AVX512VL))

static const struct identity {
    const char *what;
    uint32_t leaf1_ecx, leaf7_ebx, leaf7_ecx, xcr0, features;
    const char *best; /* of a build with all variants */
} identities[] = {
    {"everything", L1_FULL, L7B_FULL, L7C_FULL, 0xe7, ALL, "vaes_vpclmul_avx512"},
    {"everything and more state", L1_FULL, L7B_FULL, L7C_FULL, 0x602e7, ALL, "vaes_vpclmul_avx512"},
    {"nothing", 0, 0, 0, 0, 0, "portable"},
    {"all other bits", ~(uint32_t)L1_FULL, ~L7B_FULL, ~L7C_FULL, ~UINT32_C(0), 0, "portable"},
    {"XSAVE without OSXSAVE", L1_FULL & ~(uint32_t)OSXSAVE, L7B_FULL, L7C_FULL, 0, SSE_ROW, "aesni_pclmul"},
    {"no OSXSAVE, XCR0 all ones", L1_FULL & ~(uint32_t)OSXSAVE, L7B_FULL, L7C_FULL, 0xe7, SSE_ROW, "aesni_pclmul"},
    {"x87 state only", L1_FULL, L7B_FULL, L7C_FULL, 0x01, SSE_ROW, "aesni_pclmul"},
    {"no ymm state", L1_FULL, L7B_FULL, L7C_FULL, 0x03, SSE_ROW, "aesni_pclmul"},
    {"ymm without xmm state", L1_FULL, L7B_FULL, L7C_FULL, 0x05, SSE_ROW, "aesni_pclmul"},
    {"zmm without ymm state", L1_FULL, L7B_FULL, L7C_FULL, 0xe3, SSE_ROW, "aesni_pclmul"},
    {"no zmm state", L1_FULL, L7B_FULL, L7C_FULL, 0x07, NO_ZMM, "vaes_vpclmul"},
    {"opmask state only", L1_FULL, L7B_FULL, L7C_FULL, 0x27, NO_ZMM, "vaes_vpclmul"},
    {"no state of zmm16 to 31", L1_FULL, L7B_FULL, L7C_FULL, 0x67, NO_ZMM, "vaes_vpclmul"},
    {"no state of upper zmm halves", L1_FULL, L7B_FULL, L7C_FULL, 0xa7, NO_ZMM, "vaes_vpclmul"},
    {"no opmask state", L1_FULL, L7B_FULL, L7C_FULL, 0xc7, NO_ZMM, "vaes_vpclmul"},
    {"VAES without AVX-512", L1_FULL, L7B_AVX2, L7C_FULL, 0x07, NO_ZMM, "vaes_vpclmul"},
    {"AVX-512 without BW", L1_FULL, L7B_FULL & ~L7B_512BW, L7C_FULL, 0xe7, ALL & ~(uint32_t)VG_CPU_AVX512BW,
     "vaes_vpclmul"},
    {"AVX-512 without VL", L1_FULL, L7B_FULL & ~L7B_512VL, L7C_FULL, 0xe7, ALL & ~(uint32_t)VG_CPU_AVX512VL,
     "vaes_vpclmul"},
    {"AVX-512 without F", L1_FULL, L7B_FULL & ~L7B_512F, L7C_FULL, 0xe7, ALL & ~(uint32_t)VG_CPU_AVX512F,
     "vaes_vpclmul"},
    {"VAES without VPCLMULQDQ", L1_FULL, L7B_FULL, L7C_VAES, 0xe7, ALL & ~(uint32_t)VG_CPU_VPCLMULQDQ,
     "aesni_pclmul_avx"},
    {"VPCLMULQDQ without VAES", L1_FULL, L7B_FULL, L7C_VPCLM, 0xe7, ALL & ~(uint32_t)VG_CPU_VAES, "aesni_pclmul_avx"},
    {"VAES and VPCLMULQDQ without AVX2", L1_FULL, L7B_512, L7C_FULL, 0xe7, ALL & ~(uint32_t)VG_CPU_AVX2,
     "aesni_pclmul_avx"},
    {"aes avx avx2 ssse3 vaes", L1_FULL & ~L1_PCLMUL, L7B_AVX2, L7C_VAES, 0x07,
     VG_CPU_AES | VG_CPU_AVX | VG_CPU_AVX2 | VG_CPU_SSSE3 | VG_CPU_VAES, "aesni"},
    {"AVX2 without AVX", L1_FULL & ~L1_AVX, L7B_FULL, L7C_FULL, 0xe7, SSE_ROW, "aesni_pclmul"},
    {"Skylake server", L1_FULL, L7B_FULL, 0, 0xe7,
     AVX_ROW | VG_CPU_AVX2 | VG_CPU_AVX512F | VG_CPU_AVX512BW | VG_CPU_AVX512VL, "aesni_pclmul_avx"},
    {"Haswell", L1_FULL, L7B_AVX2, 0, 0x07, AVX_ROW | VG_CPU_AVX2, "aesni_pclmul_avx"},
    {"Sandy Bridge", L1_FULL, 0, 0, 0x07, AVX_ROW, "aesni_pclmul_avx"},
    {"Westmere", L1_SSSE3 | L1_AES | L1_PCLMUL, 0, 0, 0, SSE_ROW, "aesni_pclmul"},
    {"no AES", L1_FULL & ~L1_AES, L7B_FULL, L7C_FULL, 0xe7, ALL & ~(uint32_t)VG_CPU_AES, "pclmul"},
    {"no PCLMULQDQ", L1_FULL & ~L1_PCLMUL, L7B_FULL, L7C_FULL, 0xe7, ALL & ~(uint32_t)VG_CPU_PCLMULQDQ, "aesni"},
    {"no SSSE3", L1_FULL & ~L1_SSSE3, L7B_FULL, L7C_FULL, 0xe7, ALL & ~(uint32_t)VG_CPU_SSSE3, "portable"},
    {"PCLMULQDQ and AES without SSSE3", L1_AES | L1_PCLMUL, 0, 0, 0, VG_CPU_AES | VG_CPU_PCLMULQDQ, "portable"},
    {"no AES and no PCLMULQDQ", L1_FULL & ~(L1_AES | L1_PCLMUL), L7B_AVX2, 0, 0x07,
     VG_CPU_SSSE3 | VG_CPU_AVX | VG_CPU_AVX2, "portable"},
};

Test(select, identities_are_decoded)
{
    for (size_t i = 0; i < sizeof identities / sizeof *identities; i++) {
        const struct identity *want = &identities[i];
        struct vg_cpu_id id = {{0, 0, 0}, 0, want->leaf1_ecx, want->leaf7_ebx, want->leaf7_ecx, want->xcr0};
        uint32_t features = vg_cpu_decode(&id);
        CHECK(features == want->features, "%s: features %x, not %x", want->what, (unsigned)features,
              (unsigned)want->features);
        const struct row *row = rows;
        while (row->needs & ~features)
            row++;
        CHECK(!strcmp(row->name, want->best), "%s: %s, not %s", want->what, row->name, want->best);
        CHECK(vg_select(VG_CPU_FOUND | features) == expected(features), "%s: selected", want->what);
    }
}

/* Intel, family 6, and these models; nobody else. */
Test(select, models_that_avoid_zmm)
{
    static const uint8_t models[] = {85, 106, 108, 125, 126, 140, 141};
    static const struct {
        char vendor[13]; /* ebx edx ecx */
        int intel;
    } vendors[] = {
        {"GenuineIntel", 1}, {"AuthenticAMD", 0}, {"CentaurHauls", 0}, {"GenuineIotel", 0}, {"GenuineIntex", 0}};
    for (size_t v = 0; v < sizeof vendors / sizeof *vendors; v++)
        for (uint32_t family = 0; family < 16; family++)
            for (uint32_t model = 0; model < 256; model++) {
                struct vg_cpu_id id = {{0, 0, 0}, 0, L1_FULL, L7B_FULL, L7C_FULL, 0xe7};
                int avoid = 0;
                memcpy(id.vendor, vendors[v].vendor, 12);
                id.signature = 0x0a00000b | (model & 15) << 4 | (model >> 4) << 16 | family << 8;
                for (size_t i = 0; i < sizeof models; i++)
                    avoid |= models[i] == model;
                avoid &= vendors[v].intel && family == 6 && VG_VARIANT_VAES_VPCLMUL_AVX512;
                CHECK(vg_cpu_decode(&id) == (ALL | (avoid ? VG_CPU_AVOID_ZMM : 0)), "%s family %u model %u",
                      vendors[v].vendor, (unsigned)family, (unsigned)model);
            }
}

/* The CPU that this test runs on, by a second opinion: that of the compiler's own library. */
Test(select, this_cpu)
{
    struct vg_cpu_id id;
    vg_cpu_read(&id);
    uint32_t features = vg_cpu_decode(&id);
    __builtin_cpu_init();
    CHECK(!!(features & VG_CPU_SSSE3) == !!__builtin_cpu_supports("ssse3"), "%x", (unsigned)features);
    CHECK(!!(features & VG_CPU_AES) == !!__builtin_cpu_supports("aes"), "%x", (unsigned)features);
    CHECK(!!(features & VG_CPU_PCLMULQDQ) == !!__builtin_cpu_supports("pclmul"), "%x", (unsigned)features);
    CHECK(!!(features & VG_CPU_AVX) == !!__builtin_cpu_supports("avx"), "%x", (unsigned)features);
    CHECK(!!(features & VG_CPU_AVX2) == !!__builtin_cpu_supports("avx2"), "%x", (unsigned)features);
    CHECK(!!(features & VG_CPU_VPCLMULQDQ) == !!__builtin_cpu_supports("vpclmulqdq"), "%x", (unsigned)features);
    CHECK(!!(features & VG_CPU_AVX512F) == !!__builtin_cpu_supports("avx512f"), "%x", (unsigned)features);
    CHECK(!!(features & VG_CPU_AVX512BW) == !!__builtin_cpu_supports("avx512bw"), "%x", (unsigned)features);
    CHECK(!!(features & VG_CPU_AVX512VL) == !!__builtin_cpu_supports("avx512vl"), "%x", (unsigned)features);
    uint32_t state = vg_cpu_state();
    CHECK(state & VG_CPU_FOUND, "%x", (unsigned)state);
    CHECK(vg_cpu_features() == (state & ALL) && !(vg_cpu_features() & ~features), "%x", (unsigned)state);
}

#if VG_CPU_FEATURES
#define HAVE (SSE_ROW | VG_CPU_AVX)

static const struct request {
    const char *list;
    enum vg_status status;
    uint32_t features;
    const char *bad;
} requests[] = {
    {"", VG_OK, HAVE, NULL},
    {" , \t,", VG_OK, HAVE, NULL},
    {"none", VG_OK, 0, NULL},
    {",none ", VG_OK, 0, NULL},
    {"aes", VG_OK, VG_CPU_AES, NULL},
    {"aes,ssse3", VG_OK, VG_CPU_AES | VG_CPU_SSSE3, NULL},
    {"aes ssse3 pclmulqdq", VG_OK, SSE_ROW, NULL},
    {" aes,, ssse3\tpclmulqdq ,avx,", VG_OK, HAVE, NULL},
    {"aes,aes", VG_OK, VG_CPU_AES, NULL},
    {"avx", VG_OK, VG_CPU_AVX, NULL},
    {"avx2", VG_ERR_CPU, 0, "avx2"},
    {"aes,avx2,vaes", VG_ERR_CPU, 0, "avx2"},
    {"vaes vpclmulqdq", VG_ERR_CPU, 0, "vaes"},
    {"avx512f", VG_ERR_CPU, 0, "avx512f"},
    {"avx512bw", VG_ERR_CPU, 0, "avx512bw"},
    {"avx512vl", VG_ERR_CPU, 0, "avx512vl"},
    {"bogus", VG_ERR_CPU, 0, "bogus"},
    {"aes,bogus,ssse3", VG_ERR_CPU, 0, "bogus"},
    {"AES", VG_ERR_CPU, 0, "AES"},
    {"ae", VG_ERR_CPU, 0, "ae"},
    {"aess", VG_ERR_CPU, 0, "aess"},
    {"aes;ssse3", VG_ERR_CPU, 0, "aes;ssse3"},
    {"+aes", VG_ERR_CPU, 0, "+aes"},
    {"aes\n", VG_ERR_CPU, 0, "aes\n"},
    {"non", VG_ERR_CPU, 0, "non"},
    {"nones", VG_ERR_CPU, 0, "nones"},
    {"none,aes", VG_ERR_CPU, 0, "aes"},
    {"aes none", VG_ERR_CPU, 0, "none"},
    {"none none", VG_ERR_CPU, 0, "none"},
};

Test(select, requests_are_read_strictly)
{
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const struct request *want = &requests[i];
        uint32_t features = 0x5555;
        const char *bad = NULL;
        size_t bad_len = 0;
        enum vg_status status = vg_cpu_parse(want->list, HAVE, &features, &bad, &bad_len);
        CHECK(status == want->status, "\"%s\": status %d", want->list, (int)status);
        CHECK(status || features == want->features, "\"%s\": %x", want->list, (unsigned)features);
        CHECK(!status || (bad_len == strlen(want->bad) && !strncmp(bad, want->bad, bad_len) && bad >= want->list &&
                          bad < want->list + strlen(want->list)),
              "\"%s\": %.*s", want->list, (int)bad_len, bad ? bad : "");
    }
}
#endif

/* What the plain program beside this one says that it chose, with VG_CPU_FEATURES set to list, or not at all. */
static void chosen_with(const char *list, char answer[256])
{
    char self[4096] = {0}, program[4200], variable[512];
    int ends[2];
    cr_assert(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    snprintf(program, sizeof program, "%s/emulated", dirname(self));
    snprintf(variable, sizeof variable, "VG_CPU_FEATURES=%s", list ? list : "");
    cr_assert(!pipe(ends));
    pid_t child = fork();
    cr_assert(child >= 0);
    if (!child) {
        dup2(ends[1], 1);
        close(ends[0]);
        execle(program, program, "--chosen", NULL, (char *[]){"VG_CPU=1", list ? variable : "A=b", NULL});
        _exit(127);
    }
    close(ends[1]);
    size_t len = 0;
    ssize_t got;
    while (len < 255 && (got = read(ends[0], answer + len, 255 - len)) > 0)
        len += (size_t)got;
    close(ends[0]);
    int status;
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) < 2);
    answer[len] = 0;
    if (len)
        answer[len - 1] = 0; /* the line's end */
}

static uint32_t cpu_features(void)
{
    struct vg_cpu_id id;
    vg_cpu_read(&id);
    return vg_cpu_decode(&id);
}

static const char *name_of(uint32_t v)
{
    struct vg_variant_info info;
    return vg_variants(v, &info) ? info.name : vg_status_text(VG_ERR_CPU);
}

static void try_environment(const char *list, uint32_t state)
{
    char answer[256];
    chosen_with(list, answer);
    const char *want = name_of(expected(VG_CPU_FEATURES ? state : cpu_features()));
    CHECK(!strcmp(answer, want), "VG_CPU_FEATURES %s: %s, not %s", list ? list : "not set", answer, want);
}

Test(select, environment)
{
    const uint32_t found = cpu_features(), policy = found & VG_CPU_AVOID_ZMM;
    try_environment(NULL, found);
    try_environment("", found);
    try_environment(" ,", found);
    try_environment("none", policy);
    try_environment("bogus", VG_CPU_BAD_REQUEST);
    try_environment("none,bogus", VG_CPU_BAD_REQUEST);
    try_environment("SSSE3", VG_CPU_BAD_REQUEST);
    for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT; bit++)
        try_environment(vg_cpu_feature_name(bit), found >> bit & 1 ? 1u << bit | policy : VG_CPU_BAD_REQUEST);
    /* Features taken away one by one, the last first: each variant runs on one machine. */
    char list[256] = "";
    for (uint32_t bit = 0, kept = 0; bit < VG_CPU_FEATURE_COUNT; bit++) {
        if (!(found >> bit & 1))
            continue;
        kept |= 1u << bit;
        strcat(list, bit % 2 ? " " : ",");
        strcat(list, vg_cpu_feature_name(bit));
        try_environment(list, kept | policy);
    }
}
