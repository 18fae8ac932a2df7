/* What the CPU and its OS can do, and what VG_CPU_FEATURES leaves of it. */
#include "internal.h"

static const char *const feature_name[VG_CPU_FEATURE_COUNT] = {
    "ssse3", "aes", "pclmulqdq", "avx", "avx2", "vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512vl",
};

#define YMM_FEATURES (VG_CPU_AVX | VG_CPU_AVX2 | VG_CPU_VAES | VG_CPU_VPCLMULQDQ)
#define ZMM_FEATURES (VG_CPU_AVX512F | VG_CPU_AVX512BW | VG_CPU_AVX512VL)
#define ALL_FEATURES ((UINT32_C(1) << VG_CPU_FEATURE_COUNT) - 1)

#define OSXSAVE  (UINT32_C(1) << 27) /* CPUID 1, ecx */
#define XCR0_YMM UINT32_C(0x06)      /* xmm and ymm state */
#define XCR0_ZMM UINT32_C(0xe6)      /* and opmask, upper halves of zmm0-15, zmm16-31 */

static void cpuid(uint32_t leaf, uint32_t r[4])
{
    __asm__ volatile("cpuid" : "=a"(r[0]), "=b"(r[1]), "=c"(r[2]), "=d"(r[3]) : "a"(leaf), "c"(0));
}

void vg_cpu_read(struct vg_cpu_id *id)
{
    uint32_t r[4];
    cpuid(0, r);
    uint32_t highest = r[0];
    *id = (struct vg_cpu_id){.vendor = {r[1], r[3], r[2]}};
    cpuid(1, r);
    id->signature = r[0];
    id->leaf1_ecx = r[2];
    if (highest >= 7) {
        cpuid(7, r);
        id->leaf7_ebx = r[1];
        id->leaf7_ecx = r[2];
    }
    if (id->leaf1_ecx & OSXSAVE) {
        uint32_t high;
        __asm__ volatile("xgetbv" : "=a"(id->xcr0), "=d"(high) : "c"(0));
    }
}

#if VG_VARIANT_VAES_VPCLMUL_AVX512
/* Intel models, family 6, on which heavy use of zmm registers lowers the clock. */
static uint32_t avoid_zmm(const struct vg_cpu_id *id)
{
    static const uint8_t models[] = {85, 106, 108, 125, 126, 140, 141};
    uint32_t family = id->signature >> 8 & 15, model = (id->signature >> 4 & 15) | (id->signature >> 12 & 0xf0);
    int intel = id->vendor[0] == 0x756e6547 && id->vendor[1] == 0x49656e69 && id->vendor[2] == 0x6c65746e;
    if (intel && family == 6)
        for (size_t i = 0; i < sizeof models; i++)
            if (model == models[i])
                return VG_CPU_AVOID_ZMM;
    return 0;
}
#else
/* No variant of this build uses any. */
static uint32_t avoid_zmm(const struct vg_cpu_id *id)
{
    (void)id;
    return 0;
}
#endif

uint32_t vg_cpu_decode(const struct vg_cpu_id *id)
{
    static const struct {
        uint8_t leaf, bit;
    } where[VG_CPU_FEATURE_COUNT] = {{0, 9}, {0, 25}, {0, 1},  {0, 28}, {1, 5},
                                     {2, 9}, {2, 10}, {1, 16}, {1, 30}, {1, 31}};
    const uint32_t leaf[] = {id->leaf1_ecx, id->leaf7_ebx, id->leaf7_ecx};
    uint32_t features = 0;
    for (unsigned i = 0; i < VG_CPU_FEATURE_COUNT; i++)
        features |= (leaf[where[i].leaf] >> where[i].bit & 1) << i;
    uint32_t xcr0 = id->leaf1_ecx & OSXSAVE ? id->xcr0 : 0;
    if ((xcr0 & XCR0_YMM) != XCR0_YMM || !(features & VG_CPU_AVX))
        features &= ~(uint32_t)(YMM_FEATURES | ZMM_FEATURES);
    if ((xcr0 & XCR0_ZMM) != XCR0_ZMM)
        features &= ~(uint32_t)ZMM_FEATURES;
    return features | avoid_zmm(id);
}

static uint32_t detect(void)
{
    struct vg_cpu_id id;
    vg_cpu_read(&id);
    return vg_cpu_decode(&id);
}

#if VG_CPU_FEATURES
static int is_separator(char c) { return c == ' ' || c == ',' || c == '\t'; }

static int word_is(const char *word, size_t len, const char *name)
{
    size_t i = 0;
    while (i < len && name[i] && word[i] == name[i])
        i++;
    return i == len && !name[i];
}

/* The bit of a feature's name, 0 if there is none. */
static uint32_t feature_bit(const char *word, size_t len)
{
    for (unsigned i = 0; i < VG_CPU_FEATURE_COUNT; i++)
        if (word_is(word, len, feature_name[i]))
            return UINT32_C(1) << i;
    return 0;
}

enum vg_status vg_cpu_parse(const char *list, uint32_t have, uint32_t *features, const char **bad, size_t *bad_len)
{
    uint32_t wanted = 0;
    size_t words = 0, none = 0;
    for (const char *p = list; *p;) {
        if (is_separator(*p)) {
            p++;
            continue;
        }
        size_t len = 0;
        while (p[len] && !is_separator(p[len]))
            len++;
        uint32_t bit = feature_bit(p, len);
        int is_none = word_is(p, len, "none");
        /* "none" stands alone. */
        if ((!bit && !is_none) || (bit & ~have) || (words && (is_none || none))) {
            *bad = p;
            *bad_len = len;
            return VG_ERR_CPU;
        }
        wanted |= bit;
        none |= (size_t)is_none;
        words++;
        p += len;
    }
    *features = words ? wanted : have;
    return VG_OK;
}

/* Weak: a program without a C library links all the same, and then nothing is withheld. */
extern char **environ __attribute__((weak));

static const char *request(void)
{
    static const char name[] = "VG_CPU_FEATURES=";
    if (!&environ || !environ)
        return "";
    for (char **e = environ; *e; e++)
        if (word_is(*e, sizeof name - 1, name))
            return *e + sizeof name - 1;
    return "";
}

/* What the environment leaves of the features that were found, or VG_CPU_BAD_REQUEST. */
static uint32_t restricted(uint32_t found)
{
    const char *bad;
    size_t bad_len;
    uint32_t features = 0;
    return vg_cpu_parse(request(), found, &features, &bad, &bad_len) ? VG_CPU_BAD_REQUEST : features;
}

enum vg_status vg_cpu_request(const char *list, uint32_t *features, const char **bad, size_t *bad_len)
{
    return vg_cpu_parse(list, detect() & ALL_FEATURES, features, bad, bad_len);
}
#else
static uint32_t restricted(uint32_t found) { return found; }
#endif

uint32_t vg_cpu_state(void)
{
    /* The one writable word. Every thread that gets here first computes the same value. */
    static uint32_t vg_cpu_slot;
    uint32_t state = __atomic_load_n(&vg_cpu_slot, __ATOMIC_RELAXED);
    if (!state) {
        uint32_t found = detect();
        state = VG_CPU_FOUND | (found & VG_CPU_AVOID_ZMM) | restricted(found & ALL_FEATURES);
        __atomic_store_n(&vg_cpu_slot, state, __ATOMIC_RELAXED);
    }
    return state;
}

uint32_t vg_cpu_features(void) { return vg_cpu_state() & ALL_FEATURES; }

const char *vg_cpu_feature_name(unsigned bit) { return bit < VG_CPU_FEATURE_COUNT ? feature_name[bit] : NULL; }
