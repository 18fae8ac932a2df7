/* What the C files share: dispatch, and the parts of a message. */
#ifndef VG_SRC_INTERNAL_H
#define VG_SRC_INTERNAL_H

#include "bytes.h"
#include "variant.h"

/* An operation of the variant that gcm was set up for: VG_CALL(gcm, ctr32_to)(gcm, ...), and VG_CALL_FORM for those
 * that come in two forms. */
#define VG_PASTE_(op, v)            vg_##op##_##v
#define VG_PASTE(op, v)             VG_PASTE_(op, v)
#define VG_PASTE_FORM_(op, v, form) vg_##op##_##v##_##form
#define VG_PASTE_FORM(op, v, form)  VG_PASTE_FORM_(op, v, form)

static inline uint32_t vg_is_prepared(const struct vg_aes_gcm *gcm)
{
    return __atomic_load_n(&gcm->prepared, __ATOMIC_ACQUIRE);
}

#if VG_DISPATCH_RUNTIME
#define VG_VARIANT(gcm)  vg_variant_table[(gcm)->variant]
#define VG_CALL(gcm, op) vg_variant_table[(gcm)->variant]->op
#if VG_CONTEXT_ADAPTIVE
#define VG_CALL_FORM(gcm, op) vg_variant_table[(gcm)->variant]->form[vg_is_prepared(gcm)].op
#else
#define VG_CALL_FORM(gcm, op) vg_variant_table[(gcm)->variant]->form[0].op
#endif
#else
#define VG_VARIANT(gcm)  ((void)(gcm), &VG_PASTE(variant, VG_FIXED))
#define VG_CALL(gcm, op) VG_PASTE(op, VG_FIXED)
#if VG_CONTEXT_ADAPTIVE
#define VG_CALL_FORM(gcm, op)                                                                                          \
    (vg_is_prepared(gcm) ? VG_PASTE_FORM(op, VG_FIXED, prepared) : VG_PASTE_FORM(op, VG_FIXED, base))
#elif VG_CONTEXT_PREPARED
#define VG_CALL_FORM(gcm, op) VG_PASTE_FORM(op, VG_FIXED, prepared)
#else
#define VG_CALL_FORM(gcm, op) VG_PASTE_FORM(op, VG_FIXED, base)
#endif
#endif

/* The same as a statement, which compilers make no call through a register of, as they may of a choice of two
 * functions. */
#if VG_DISPATCH_FIXED && VG_CONTEXT_ADAPTIVE
#define VG_DO_FORM(gcm, op, ...)                                                                                       \
    do {                                                                                                               \
        if (vg_is_prepared(gcm))                                                                                       \
            VG_PASTE_FORM(op, VG_FIXED, prepared)(__VA_ARGS__);                                                        \
        else                                                                                                           \
            VG_PASTE_FORM(op, VG_FIXED, base)(__VA_ARGS__);                                                            \
    } while (0)
#else
#define VG_DO_FORM(gcm, op, ...) VG_CALL_FORM(gcm, op)(__VA_ARGS__)
#endif

/* An adaptive key counts the calls that would gain from powers, and prepares itself after so many of them. */
#if VG_CONTEXT_ADAPTIVE
#define VG_CALLS_NEVER UINT32_MAX /* as many calls: the key stays as it is */
void vg_adapt(const struct vg_aes_gcm *gcm);
static inline int vg_call_counts(const struct vg_aes_gcm *gcm, size_t len)
{
    return !vg_is_prepared(gcm) && len >= VG_VARIANT(gcm)->prepared_min_len;
}
static inline void vg_count_call(const struct vg_aes_gcm *gcm, size_t len)
{
    if (vg_call_counts(gcm, len))
        vg_adapt(gcm);
}
#else
static inline int vg_call_counts(const struct vg_aes_gcm *gcm, size_t len)
{
    (void)gcm;
    (void)len;
    return 0;
}
static inline void vg_count_call(const struct vg_aes_gcm *gcm, size_t len)
{
    (void)gcm;
    (void)len;
}
#endif

/* inc32 of SP 800-38D, section 6.2, n times. One store, as kernels load it: two would not be there in time. */
static inline void vg_add32(uint8_t to[16], const uint8_t counter[16], uint32_t n)
{
    uint64_t high = vg_load64(counter + 8);
    uint32_t number = __builtin_bswap32(__builtin_bswap32((uint32_t)(high >> 32)) + n);
    vg_store128(to, (vg_block){vg_load64(counter), (uint64_t)number << 32 | (uint32_t)high});
}

/* The block of two 64-bit bit lengths that closes every GHASH of GCM. */
static inline vg_block vg_lengths(uint64_t first_len, uint64_t second_len)
{
    return (vg_block){__builtin_bswap64(first_len * 8), __builtin_bswap64(second_len * 8)};
}

/* 1 if a[len] and b[len] are equal, in time that depends on len alone. */
int vg_equal(const uint8_t *a, const uint8_t *b, size_t len);

/* A whole message from the operations on blocks: for variants without kernels for whole messages, and in every variant
 * for nonces other than 12 bytes and for truncated tags. tag gets the computed tag. direction
 * is VG_RUN_DECRYPT or 0. */
void vg_crypt_message(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                      size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16],
                      uint32_t direction);
#if VG_OPEN
/* Decrypt, and compare with tag[tag_len]: VG_VERDICT_GOOD or VG_VERDICT_WRITTEN. */
uint32_t vg_open_message(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                         size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag,
                         size_t tag_len);
#endif

/* A message in pieces: what streams, chains, gathers and messages without kernels of their own stand on. The
 * stream's public fields, without its order of calls. aad comes before text; direction is VG_RUN_DECRYPT or 0 for all
 * of a message.
 */
void vg_pieces_begin(struct vg_aes_gcm_stream *stream, const struct vg_aes_gcm *gcm, const uint8_t *nonce,
                     size_t nonce_len);
void vg_pieces_aad(struct vg_aes_gcm_stream *stream, const uint8_t *aad, size_t len);
void vg_pieces_crypt(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst, size_t len,
                     uint32_t direction);
void vg_pieces_tag(struct vg_aes_gcm_stream *stream, uint8_t tag[16]);
/* run->keystream = that of run->counter, which stays. */
void vg_begin_block(const struct vg_aes_gcm *gcm, struct vg_run *run);

#if VG_SELF_TEST
/* vg_self_test with one bit of answer number `fault` turned over, counted from 1 over all variants; 0 for none. */
enum vg_status vg_self_test_with(unsigned fault);
#endif

#endif
