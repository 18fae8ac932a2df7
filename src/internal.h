/* What the C files share: dispatch, checks, bytes. */
#ifndef VG_SRC_INTERNAL_H
#define VG_SRC_INTERNAL_H

#include "variant.h"

#if VG_FREESTANDING
void vg_copy(void *dst, const void *src, size_t len); /* regions do not overlap */
void vg_zero(void *dst, size_t len);
#else
#include <string.h>
static inline void vg_copy(void *dst, const void *src, size_t len)
{
    if (len)
        memcpy(dst, src, len);
}
static inline void vg_zero(void *dst, size_t len)
{
    if (len)
        memset(dst, 0, len);
}
#endif

/* Zero memory that held secrets; the compiler may not leave it out. */
static inline void vg_wipe(void *p, size_t len)
{
#if VG_WIPE
    vg_zero(p, len);
    __asm__ volatile("" : : "r"(p) : "memory");
#else
    (void)p;
    (void)len;
#endif
}

static inline uint32_t vg_load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void vg_store_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

static inline void vg_store_be64(uint8_t *p, uint64_t v)
{
    vg_store_be32(p, (uint32_t)(v >> 32));
    vg_store_be32(p + 4, (uint32_t)v);
}

static inline void vg_xor(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        dst[i] = a[i] ^ b[i];
}

/* dst[dst_len] and src[src_len] share a byte. */
static inline int vg_overlaps(const void *dst, size_t dst_len, const void *src, size_t src_len)
{
    return (uintptr_t)dst - (uintptr_t)src < src_len || (uintptr_t)src - (uintptr_t)dst < dst_len;
}

/* dst and src, both of len bytes, overlap without being the same. */
static inline int vg_overlaps_partly(const void *dst, const void *src, size_t len)
{
    return dst != src && vg_overlaps(dst, len, src, len);
}

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
#define VG_CALL(gcm, op) vg_variant_table[(gcm)->variant]->op
#if VG_CONTEXT_ADAPTIVE
#define VG_CALL_FORM(gcm, op) vg_variant_table[(gcm)->variant]->form[vg_is_prepared(gcm)].op
#else
#define VG_CALL_FORM(gcm, op) vg_variant_table[(gcm)->variant]->form[0].op
#endif
#else
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

/* An adaptive key counts the calls that would gain from powers, and prepares itself after VG_PREPARED_AFTER. */
#if VG_CONTEXT_ADAPTIVE
void vg_adapt(const struct vg_aes_gcm *gcm);
static inline void vg_count_call(const struct vg_aes_gcm *gcm, size_t len)
{
    if (len >= VG_PREPARED_MIN_LEN && !vg_is_prepared(gcm))
        vg_adapt(gcm);
}
#else
static inline void vg_count_call(const struct vg_aes_gcm *gcm, size_t len)
{
    (void)gcm;
    (void)len;
}
#endif

/* inc32 of SP 800-38D, section 6.2. */
static inline void vg_inc32(uint8_t counter[16]) { vg_store_be32(counter + 12, vg_load_be32(counter + 12) + 1); }

/* J0 of SP 800-38D, section 7.1. */
void vg_j0(const struct vg_aes_gcm *gcm, uint8_t j0[16], const uint8_t *nonce, size_t nonce_len);
/* Continue y over data[len], zeros behind the last block. */
void vg_ghash_padded(const struct vg_aes_gcm *gcm, uint8_t y[16], const uint8_t *data, size_t len);
/* The tag from y over AAD and text: the length block, and E(K, J0). */
void vg_finish_tag(const struct vg_aes_gcm *gcm, uint8_t tag[16], uint8_t y[16], const uint8_t j0[16], uint64_t aad_len,
                   uint64_t len);
/* 1 if a[len] and b[len] are equal, in time that depends on len alone. */
int vg_equal(const uint8_t *a, const uint8_t *b, size_t len);

/* A whole message from its J0, on the operations for blocks: what variants without kernels for whole messages use, and
 * every variant for nonces other than 12 bytes and for truncated tags. tag gets the computed tag. */
void vg_encrypt_message(const struct vg_aes_gcm *gcm, const uint8_t j0[16], const uint8_t *aad, size_t aad_len,
                        const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
void vg_decrypt_message(const struct vg_aes_gcm *gcm, const uint8_t j0[16], const uint8_t *aad, size_t aad_len,
                        const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
/* Counter mode over src[len], from the counter block after j0. */
void vg_ctr_message(const struct vg_aes_gcm *gcm, const uint8_t j0[16], const uint8_t *src, uint8_t *dst, size_t len);

/* A message in pieces: what streams, chains and gathers stand on. The stream's public fields, without its order of
 * calls. aad comes before text; encrypt is the same for all of a message. */
void vg_pieces_begin(struct vg_aes_gcm_stream *stream, const struct vg_aes_gcm *gcm, const uint8_t *nonce,
                     size_t nonce_len);
void vg_pieces_aad(struct vg_aes_gcm_stream *stream, const uint8_t *aad, size_t len);
void vg_pieces_crypt(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst, size_t len, int encrypt);
void vg_pieces_tag(struct vg_aes_gcm_stream *stream, uint8_t tag[16]);

#if VG_SELF_TEST
/* vg_self_test with one bit of answer number `fault` turned over, counted from 1 over all variants; 0 for none. */
enum vg_status vg_self_test_with(unsigned fault);
#endif

#endif
