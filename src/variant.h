/* What a variant is: a name, the CPU features it needs, and one function per operation.
 *
 * Every variant has the same operations with the same contracts, named vg_<operation>_<variant>. Operations that
 * multiply by H come in two forms: _base finds only H^1 in the context and computes what else it wants, _prepared
 * finds VG_POWERS powers. A build has the form that its key contexts have; adaptive contexts need both.
 *
 * Contracts of all operations: arguments were checked; n counts blocks; dst == src or disjoint; counter is advanced by
 * inc32 for every block; y is a GHASH state in the byte order of SP 800-38D. */
#ifndef VG_SRC_VARIANT_H
#define VG_SRC_VARIANT_H

#include "unstitched.h"
#include <vg/info.h>

/* Write round_key, rounds and H^1 for key[key_len]; the rest of the context is zero already. */
typedef void vg_init_fn(struct vg_aes_gcm *gcm, const uint8_t *key, size_t key_len);
/* Write H^2..H^VG_POWERS. */
typedef void vg_powers_fn(struct vg_aes_gcm *gcm);
typedef void vg_ctr32_fn(const struct vg_aes_gcm *gcm, uint8_t counter[16], const uint8_t *src, uint8_t *dst, size_t n);
typedef void vg_ghash_fn(const struct vg_aes_gcm *gcm, uint8_t y[16], const uint8_t *data, size_t n);
/* Encrypt n blocks of a message, at least 1, and continue run->y over their ciphertext. flags: decrypt them instead;
 * hash run->block before them; make run->keystream that of the block behind them, whose counter block run->counter is
 * then (it may be made unasked). run->block stays. */
enum { VG_RUN_DECRYPT = 1, VG_RUN_BLOCK = 2, VG_RUN_KEYSTREAM = 4 };
typedef void vg_crypt_run_fn(const struct vg_aes_gcm *gcm, struct vg_run *run, const uint8_t *src, uint8_t *dst,
                             size_t n, uint32_t flags);
/* A whole message with a nonce of 12 bytes. It returns VG_OK, so that calls can end in it. seal_split is the same but
 * for the end of the text, from (len - 1) & split_mask on: it lies at dst already, and src has nothing of it. */
typedef uint32_t vg_seal_fn(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
                            const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
/* The same for a text of stitched_from bytes or more in slices whose lengths are multiples of -slice_mask; only the
 * last one may end anywhere, and has all of the text from (len - 1) & -(stitched_from - 1) on, and 16 bytes at least.
 */
typedef uint32_t vg_seal_slices_fn(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad,
                                   size_t aad_len, const struct vg_slice *slices, uint8_t *dst, size_t len,
                                   uint8_t tag[16]);
/* The same for a tag of 16 bytes. What it returns says what stands at dst. */
enum vg_verdict {
    VG_VERDICT_GOOD = 0,      /* the plaintext */
    VG_VERDICT_UNTOUCHED = 1, /* the tag is wrong, and nothing was written */
    VG_VERDICT_WRITTEN = 2,   /* the tag is wrong, and all of dst holds text that must go */
};
typedef uint32_t vg_open_fn(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
                            const uint8_t *src, uint8_t *dst, size_t len, const uint8_t tag[16]);

#define VG_DECLARE_VARIANT(v)                                                                                          \
    extern const struct vg_variant vg_variant_##v;                                                                     \
    vg_init_fn vg_init_##v;                                                                                            \
    vg_powers_fn vg_powers_##v;                                                                                        \
    vg_ctr32_fn vg_ctr32_to_##v;                                                                                       \
    VG_DECLARE_FORM(v##_base);                                                                                         \
    VG_DECLARE_FORM(v##_prepared)
#define VG_DECLARE_FORM(v)                                                                                             \
    vg_ghash_fn vg_ghash_##v;                                                                                          \
    vg_crypt_run_fn vg_crypt_run_##v;                                                                                  \
    vg_seal_fn vg_seal_##v;                                                                                            \
    vg_seal_fn vg_seal_split_##v;                                                                                      \
    vg_seal_slices_fn vg_seal_slices_##v;                                                                              \
    vg_open_fn vg_open_##v

struct vg_form {
    vg_ghash_fn *ghash;
    vg_crypt_run_fn *crypt_run;
    vg_seal_fn *seal;
#if VG_SPLIT || VG_GATHER
    vg_seal_fn *seal_split;
    vg_seal_slices_fn *seal_slices;
#endif
#if VG_OPEN
    vg_open_fn *open;
#endif
};

struct vg_variant {
    const char *name;
    uint32_t needs;    /* enum vg_cpu_feature */
    uint32_t wide;     /* 1: uses zmm registers, which some CPU models had better avoid */
    size_t split_mask; /* 0: there is no seal_split */
    size_t slice_mask; /* seal_slices wants slices of a multiple of -slice_mask bytes */
    size_t copy_below, split_from, stitched_from;
#if VG_CONTEXT_ADAPTIVE
    size_t prepared_after, prepared_min_len;
#endif
#if VG_DISPATCH_RUNTIME
    vg_init_fn *init;
#if !VG_CONTEXT_BASE
    vg_powers_fn *powers;
#endif
    vg_ctr32_fn *ctr32_to;
    struct vg_form form[VG_CONTEXT_ADAPTIVE ? 2 : 1]; /* the prepared one last */
#endif
};

/* Thresholds in a variant's table, as configured. */
#define VG_LEN(n) ((n) < 1 << 30 ? (n) : VG_THRESHOLD_NONE)
#if VG_CONTEXT_ADAPTIVE
#define VG_ADAPTS(V)    .prepared_after = VG_##V##_PREPARED_AFTER, .prepared_min_len = VG_##V##_PREPARED_MIN_LEN,
#define VG_NEVER_ADAPTS .prepared_after = VG_THRESHOLD_NONE, .prepared_min_len = VG_THRESHOLD_NONE,
#else
#define VG_ADAPTS(V)
#define VG_NEVER_ADAPTS
#endif
#define VG_ALWAYS_COPIES .copy_below = VG_THRESHOLD_NONE, .split_from = VG_THRESHOLD_NONE,
#if VG_SPLIT || VG_GATHER
#define VG_THRESHOLDS(V)                                                                                               \
    .copy_below = VG_LEN(VG_##V##_COPY_BELOW), .split_from = VG_LEN(VG_##V##_SPLIT_FROM), VG_ADAPTS(V)
#else
#define VG_THRESHOLDS(V) VG_ALWAYS_COPIES VG_ADAPTS(V)
#endif

#if VG_OPEN
#define VG_FORM_OPEN(v) .open = vg_open_##v,
#else
#define VG_FORM_OPEN(v)
#endif
#if VG_SPLIT || VG_GATHER
#define VG_FORM_SPLIT(v) .seal_split = vg_seal_split_##v, .seal_slices = vg_seal_slices_##v,
#else
#define VG_FORM_SPLIT(v)
#endif
#define VG_FORM_OPERATIONS(v)                                                                                          \
    {                                                                                                                  \
        .ghash = vg_ghash_##v, .crypt_run = vg_crypt_run_##v, .seal = vg_seal_##v, VG_FORM_SPLIT(v) VG_FORM_OPEN(v)    \
    }

#if VG_CONTEXT_ADAPTIVE
#define VG_FORMS(v)                                                                                                    \
    {                                                                                                                  \
        VG_FORM_OPERATIONS(v##_base), VG_FORM_OPERATIONS(v##_prepared)                                                 \
    }
#elif VG_CONTEXT_PREPARED
#define VG_FORMS(v)                                                                                                    \
    {                                                                                                                  \
        VG_FORM_OPERATIONS(v##_prepared)                                                                               \
    }
#else
#define VG_FORMS(v)                                                                                                    \
    {                                                                                                                  \
        VG_FORM_OPERATIONS(v##_base)                                                                                   \
    }
#endif

/* The operations in a variant's const table; nothing in a build with fixed dispatch, which calls them directly. */
#if VG_DISPATCH_RUNTIME && VG_CONTEXT_BASE
#define VG_OPERATIONS(v) .init = vg_init_##v, .ctr32_to = vg_ctr32_to_##v, .form = VG_FORMS(v),
#elif VG_DISPATCH_RUNTIME
#define VG_OPERATIONS(v) .init = vg_init_##v, .powers = vg_powers_##v, .ctr32_to = vg_ctr32_to_##v, .form = VG_FORMS(v),
#else
#define VG_OPERATIONS(v)
#endif

VG_DECLARE_VARIANT(vaes_vpclmul_avx512);
VG_DECLARE_VARIANT(vaes_vpclmul);
VG_DECLARE_VARIANT(aesni_pclmul_avx);
VG_DECLARE_VARIANT(aesni_pclmul);
VG_DECLARE_VARIANT(pclmul);
VG_DECLARE_VARIANT(aesni);
VG_DECLARE_VARIANT(portable);

/* The variants of this build, best first. */
#if VG_DISPATCH_RUNTIME
extern const struct vg_variant *const vg_variant_table[];
extern const uint32_t vg_variant_count;
#else
#if VG_VARIANT_VAES_VPCLMUL_AVX512
#define VG_FIXED vaes_vpclmul_avx512
#elif VG_VARIANT_VAES_VPCLMUL
#define VG_FIXED vaes_vpclmul
#elif VG_VARIANT_AESNI_PCLMUL_AVX
#define VG_FIXED aesni_pclmul_avx
#elif VG_VARIANT_AESNI_PCLMUL
#define VG_FIXED aesni_pclmul
#elif VG_VARIANT_PCLMUL
#define VG_FIXED pclmul
#elif VG_VARIANT_AESNI
#define VG_FIXED aesni
#else
#define VG_FIXED portable
#endif
enum { vg_variant_count = 1 };
#endif

/* The features in use, and whether zmm registers are better avoided, as found once and remembered. */
#define VG_CPU_AVOID_ZMM   (UINT32_C(1) << 29)
#define VG_CPU_BAD_REQUEST (UINT32_C(1) << 30) /* VG_CPU_FEATURES asks for what is not there */
#define VG_CPU_FOUND       (UINT32_C(1) << 31)
uint32_t vg_cpu_state(void);

/* What CPUID and XGETBV say. */
struct vg_cpu_id {
    uint32_t vendor[3]; /* leaf 0: ebx, edx, ecx */
    uint32_t signature; /* leaf 1: eax */
    uint32_t leaf1_ecx;
    uint32_t leaf7_ebx, leaf7_ecx; /* 0 where there is no leaf 7 */
    uint32_t xcr0;                 /* 0 where OSXSAVE is clear: XGETBV would fault */
};
void vg_cpu_read(struct vg_cpu_id *id);
/* The features that id grants, and VG_CPU_AVOID_ZMM. */
uint32_t vg_cpu_decode(const struct vg_cpu_id *id);
#if VG_CPU_FEATURES
/* vg_cpu_request against the features in `have`. */
enum vg_status vg_cpu_parse(const char *list, uint32_t have, uint32_t *features, const char **bad, size_t *bad_len);
#endif

/* The number of the best variant that state allows, or vg_variant_count. */
uint32_t vg_select(uint32_t state);
/* Set up gcm for variant number v, which this CPU can run; key_len was checked. */
void vg_init_variant(struct vg_aes_gcm *gcm, uint32_t v, const uint8_t *key, size_t key_len);

#endif
