/* vg/info.h: what this build is, what this CPU can do, and whether the two get along. */
#ifndef VG_INFO_H
#define VG_INFO_H

#include <stddef.h>
#include <stdint.h>
#include <vg/aes_gcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CPU features, one bit each. The ymm and zmm features count only if the OS saves their registers too. */
enum vg_cpu_feature {
    VG_CPU_SSSE3 = 1u << 0,
    VG_CPU_AES = 1u << 1,
    VG_CPU_PCLMULQDQ = 1u << 2,
    VG_CPU_AVX = 1u << 3,
    VG_CPU_AVX2 = 1u << 4,
    VG_CPU_VAES = 1u << 5,
    VG_CPU_VPCLMULQDQ = 1u << 6,
    VG_CPU_AVX512F = 1u << 7,
    VG_CPU_AVX512BW = 1u << 8,
    VG_CPU_AVX512VL = 1u << 9,
};
#define VG_CPU_FEATURE_COUNT 10

/* A variant of this build as this CPU sees it. */
struct vg_variant_info {
    const char *name;
    uint32_t needs;   /* features that it uses */
    uint32_t missing; /* of those, the ones that this CPU, its OS or VG_CPU_FEATURES withholds */
    int avoided;      /* 1: it could run, but zmm registers cost clock speed on this CPU model */
    int chosen;       /* 1: a key set up now uses it */
};

/* What a threshold decides; lengths in bytes. */
enum vg_threshold {
    VG_THRESHOLD_COPY_BELOW,       /* gather: texts under this are copied, not streamed */
    VG_THRESHOLD_SPLIT_FROM,       /* gather: texts from here on may be sealed from two places */
    VG_THRESHOLD_STITCHED_FROM,    /* the shortest text that takes the stitched loop */
    VG_THRESHOLD_PREPARED_AFTER,   /* calls until an adaptive key prepares itself */
    VG_THRESHOLD_PREPARED_MIN_LEN, /* the shortest text that counts as such a call */
};
#define VG_THRESHOLD_NONE SIZE_MAX

/* Fill *info for variant number index of this build, 0 is the best. Returns 1, or 0 if there is no such variant. */
int vg_variants(size_t index, struct vg_variant_info *info);

/* The name of the variant that gcm uses; "none" if gcm is NULL or not set up. */
const char *vg_variant_name(const struct vg_aes_gcm *gcm);

/* A threshold of variant number index, or VG_THRESHOLD_NONE where it has no such choice. */
size_t vg_threshold(size_t index, enum vg_threshold threshold);

/* The configuration that this archive was built with: its symbols, space between. */
const char *vg_config_string(void);

/* The features that are in use: those of the CPU and its OS, less what VG_CPU_FEATURES withholds. */
uint32_t vg_cpu_features(void);

/* The lower-case name of feature bit number 0 <= bit < VG_CPU_FEATURE_COUNT, else NULL. */
const char *vg_cpu_feature_name(unsigned bit);

#if VG_CPU_FEATURES
/* Parse a list of feature names, spaces or commas between, as VG_CPU_FEATURES takes it: "" means all that the CPU has,
 * "none" no feature at all. On VG_OK *features is the result. On VG_ERR_CPU *bad[*bad_len] is the first word that is
 * unknown or names a feature that this CPU lacks. No pointer may be NULL. */
enum vg_status vg_cpu_request(const char *list, uint32_t *features, const char **bad, size_t *bad_len);
#endif

#if VG_SELF_TEST
/* Known answers (FIPS 197, SP 800-38D), both directions, on every variant of this build that this CPU runs, and a
 * forged tag that must be refused. Needs no files. Errors: VG_ERR_SELF_TEST, VG_ERR_CPU if no variant can run. */
enum vg_status vg_self_test(void);
#endif

/* Stack: the most bytes that a call uses below its caller's frame, return address included, in any configuration and
 * whichever variant runs, as gcc and clang compile it with optimisation; what memcpy and memset of a C library use is
 * not in it. tools/check compares this with the code of a build, and says what that build needs: often a fraction,
 * since the portable variant needs most.
 *
 *      64  vg_aes_gcm_clear, vg_variant_name, vg_threshold, vg_config_string, vg_cpu_feature_name, vg_status_text
 *     512  vg_variants, vg_cpu_features, vg_cpu_request
 *     640  vg_aes_gcm_prepare
 *   1,152  vg_ghash, vg_aes_gcm_stream_aad, vg_aes_gcm_stream_finish, vg_aes_gcm_stream_verify
 *   3,200  vg_aes_gcm_init, vg_aes_gcm_stream_init, vg_aes_gcm_stream_encrypt, vg_aes_gcm_stream_encrypt_to,
 *          vg_aes_gcm_stream_decrypt, vg_aes_gcm_stream_decrypt_to, vg_aes_ctr32, vg_aes_ctr32_to,
 *          vg_aes_gcm_encrypt_blocks, vg_aes_gcm_encrypt_blocks_to, vg_aes_gcm_decrypt_blocks
 *   3,584  vg_aes_gcm_seal, vg_aes_gcm_seal_to, vg_aes_gcm_open, vg_aes_gcm_open_to, vg_aes_gcm_seal_burst,
 *          vg_aes_gcm_open_burst
 *   4,352  vg_aes_gcm_seal_gather, vg_aes_gcm_seal_split
 *   4,608  vg_aes_expand_key
 *   6,144  vg_aes_gcm_seal_chain, vg_aes_gcm_open_chain
 *   7,680  vg_self_test */

#ifdef __cplusplus
}
#endif
#endif
