/* vg/aes_gcm.h: AES-GCM (NIST SP 800-38D) with AES-128, AES-192 and AES-256 (FIPS 197).
 *
 * Use
 *   1. vg_aes_gcm_init sets up a key context once per key. It is plain memory: put it anywhere, copy it, share it
 *      between threads, cores or processes; no call changes it in a way that a user could see until vg_aes_gcm_clear.
 *   2. Every message takes a nonce that was never used with this key before. A nonce used twice gives away the
 *      authentication key and the xor of both texts: the library cannot notice it.
 *   3. seal encrypts and authenticates; open checks and decrypts. The AAD is authenticated, not encrypted.
 *   4. vg_aes_gcm_clear wipes the context.
 *
 * Contracts that hold for every call
 *   - Lengths are bytes unless the name is n, which counts things. Pointers need no alignment, except to the contexts.
 *   - NULL is fine where its length is 0, and VG_ERR_NULL where it is not.
 *   - dst is src or does not overlap it; anything between is VG_ERR_OVERLAP. No tag may lie inside the output.
 *   - All checks come first: a call that refuses its arguments has written nothing.
 *   - Time and memory access depend on lengths and addresses, never on the contents of keys, texts, AAD or tags.
 *     The verdict of an open is the one exception: it is public.
 *   - No heap, no locks, no system calls, no global state but one word that remembers what the CPU can do.
 *
 * What is not checked: that nonces are fresh; that a context was not damaged; that two threads do not write to the
 * same buffers; that a segment or slice does not overlap the source of another one; that no output overlaps the nonce
 * or the AAD, or a context.
 *
 * Limits (SP 800-38D, section 5.2.1.1): text at most VG_TEXT_MAX bytes, AAD at most VG_AAD_MAX, nonce 1 to
 * VG_NONCE_MAX; 12 bytes is the fast path and what protocols use. */
#ifndef VG_AES_GCM_H
#define VG_AES_GCM_H

#include <stddef.h>
#include <stdint.h>
#include <vg/status.h>

#ifdef __cplusplus
#define VG_AT_LEAST(n) n
#define VG_ALIGN16     alignas(16)
extern "C" {
#else
#define VG_AT_LEAST(n) static n
#define VG_ALIGN16     _Alignas(16)
#endif

#define VG_TEXT_MAX  ((UINT64_C(1) << 36) - 32)
#define VG_AAD_MAX   ((UINT64_C(1) << 61) - 1)
#define VG_NONCE_MAX ((UINT64_C(1) << 61) - 1)
#define VG_TAG_LEN   16

#if VG_AES256
#define VG_ROUND_KEYS 15
#elif VG_AES192
#define VG_ROUND_KEYS 13
#else
#define VG_ROUND_KEYS 11
#endif

/* Sums of the quadwords of the lowest powers, two in a row, for kernels with Karatsuba products. */
#if VG_VAES_KARATSUBA && VG_POWERS >= 16
#define VG_POWER_HALVES 8
#elif (VG_VARIANT_PCLMUL || VG_VARIANT_AESNI_PCLMUL || VG_VARIANT_AESNI_PCLMUL_AVX || VG_VAES_KARATSUBA) &&            \
    !VG_CONTEXT_BASE
#define VG_POWER_HALVES (VG_POWERS < 10 ? 4 : 5)
#else
#define VG_POWER_HALVES 0
#endif

/* A key context. Its contents are private. It holds no pointers, so it may lie in memory that processes map at
 * different addresses; it means something only to the build that made it. Secret: wipe it with vg_aes_gcm_clear.
 *
 * power[VG_POWERS - i] is H^i * x^-1 in the bit-reflected field, bytes reversed; only H^1 counts until `prepared` is 1,
 * and so it is with half.
 * round_key holds FIPS-197 round keys 0..rounds. A context that is not set up has rounds == 0. */
struct vg_aes_gcm {
    VG_ALIGN16 uint8_t power[VG_POWERS][16];
#if VG_POWER_HALVES
    uint8_t half[VG_POWER_HALVES][16];
#endif
    uint32_t rounds;
    uint32_t variant;
    uint32_t prepared;
    uint32_t calls;
    uint8_t round_key[VG_ROUND_KEYS][16];
};

/* One piece of a plaintext. */
struct vg_slice {
    const uint8_t *data;
    size_t len;
};

/* One piece of a message that is read at src and written at dst; dst == src is in place. */
struct vg_segment {
    const uint8_t *src;
    uint8_t *dst;
    size_t len;
};

/* One message of a burst: nonce has 12 bytes, tag 16 (written by seal, read by open). status is an output. */
struct vg_packet {
    const struct vg_aes_gcm *gcm;
    const uint8_t *nonce, *aad;
    size_t aad_len;
    const uint8_t *src;
    uint8_t *dst;
    size_t len;
    uint8_t *tag;
    enum vg_status status;
};

/* Set up gcm for key[key_len], key_len 16, 24 or 32. Chooses the variant and remembers it in gcm.
 * Errors: VG_ERR_NULL, VG_ERR_KEY_LEN, VG_ERR_CPU; a non-NULL gcm is then cleared and every later call with it refused.
 */
enum vg_status vg_aes_gcm_init(struct vg_aes_gcm *gcm, const uint8_t *key, size_t key_len);

/* Compute the powers of H that this build keeps now, instead of after as many calls as vg_threshold tells. Nothing else
 * may use gcm meanwhile. Does nothing in a build whose contexts are always, or never, prepared.
 * Errors: VG_ERR_NULL, VG_ERR_KEY. */
enum vg_status vg_aes_gcm_prepare(struct vg_aes_gcm *gcm);

/* Overwrite the whole context with zeros. NULL is ignored. */
void vg_aes_gcm_clear(struct vg_aes_gcm *gcm);

/* Encrypt text[len] in place and write its tag (SP 800-38D, algorithm 4).
 * Errors: VG_ERR_NULL, VG_ERR_KEY, VG_ERR_NONCE_LEN, VG_ERR_AAD_LEN, VG_ERR_TEXT_LEN, VG_ERR_OVERLAP. */
enum vg_status vg_aes_gcm_seal(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                               size_t aad_len, uint8_t *text, size_t len, uint8_t tag[VG_AT_LEAST(16)]);

/* The same from src[len] to dst[len]. */
enum vg_status vg_aes_gcm_seal_to(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                  const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len,
                                  uint8_t tag[VG_AT_LEAST(16)]);

#if VG_OPEN
/* Check tag[tag_len] and decrypt text[len] in place (SP 800-38D, algorithm 5). On VG_ERR_AUTH text is the ciphertext
 * again, byte for byte. While the call runs, text may hold plaintext that is not authenticated yet.
 * Errors: as for seal, and VG_ERR_TAG_LEN, VG_ERR_AUTH. */
enum vg_status vg_aes_gcm_open(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                               size_t aad_len, uint8_t *text, size_t len, const uint8_t *tag, size_t tag_len);

/* The same from src[len] to dst[len]. On VG_ERR_AUTH dst[len] is all zero, or the ciphertext where dst == src. */
enum vg_status vg_aes_gcm_open_to(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                  const uint8_t *aad, size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len,
                                  const uint8_t *tag, size_t tag_len);
#endif

#if VG_GATHER
/* Encrypt a plaintext that lies in n slices to contiguous dst[len]: a TLS 1.3 record and its content-type byte.
 * A slice does not overlap dst, or lies exactly where its ciphertext goes. A long text in up to VG_STREAM_SLICES slices is
 * read where they lie; what lies in more is copied to dst first.
 * Errors: as for seal, and VG_ERR_SLICES if the lengths do not sum to len. */
enum vg_status vg_aes_gcm_seal_gather(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                      const uint8_t *aad, size_t aad_len, const struct vg_slice *src, size_t n,
                                      uint8_t *dst, size_t len, uint8_t tag[VG_AT_LEAST(16)]);
#endif

#if VG_SPLIT
/* Encrypt to dst[len] a plaintext whose first src_len bytes come from src and whose rest lies at dst + src_len already.
 * src[src_len] is dst or does not overlap dst[len]. Errors: as for seal, and VG_ERR_SLICES if src_len > len. */
enum vg_status vg_aes_gcm_seal_split(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const uint8_t *src, size_t src_len,
                                     uint8_t *dst, size_t len, uint8_t tag[VG_AT_LEAST(16)]);
#endif

#if VG_CHAIN
/* Encrypt one text that lies in n segments, an mbuf chain: in place or not, each as it likes; blocks may straddle
 * segments; empty segments are fine. Errors: as for seal. */
enum vg_status vg_aes_gcm_seal_chain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const struct vg_segment *segments, size_t n,
                                     uint8_t tag[VG_AT_LEAST(16)]);

#if VG_OPEN
/* Check and decrypt the same. On VG_ERR_AUTH every segment in place is ciphertext again, every other dst is zero.
 * Up to VG_CHAIN_BUFFER bytes of text are checked before anything is written; of longer ones, segments may hold
 * plaintext that is not authenticated yet while the call runs. */
enum vg_status vg_aes_gcm_open_chain(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len,
                                     const uint8_t *aad, size_t aad_len, const struct vg_segment *segments, size_t n,
                                     const uint8_t *tag, size_t tag_len);
#endif
#endif

/* Where a message in pieces stands. */
struct vg_run {
    VG_ALIGN16 uint8_t counter[16]; /* counter block of the next keystream block */
    uint8_t y[16];                  /* GHASH of all whole blocks so far */
    uint8_t block[16];              /* ciphertext or AAD of the block under way, zeros behind */
    uint8_t keystream[16];          /* of the block under way */
};

/* One message in any pieces: stream_init, stream_aad (any number of times), then either stream_encrypt and _encrypt_to
 * (any number of times) and stream_finish, or stream_decrypt and _decrypt_to and stream_verify. A message without text
 * may go straight to finish or verify. Anything else is VG_ERR_ORDER and changes nothing.
 *
 * A stream may be copied at any time; the copies go on independently. It refers to its key context, which must outlive
 * it. finish and verify end it and wipe it; so does a new stream_init, at any time.
 *
 * Decryption hands out text before its tag was checked. The caller must not act on it, pass it on or keep it unless
 * stream_verify returns VG_OK; on VG_ERR_AUTH, destroy it. Where that cannot be promised, use open or open_chain. */
struct vg_aes_gcm_stream {
    struct vg_run run;
    uint8_t mask[16]; /* E(K, J0) */
    uint64_t aad_len, len;
    const struct vg_aes_gcm *gcm;
    uint32_t state;
};

#if VG_STREAM
/* Errors: VG_ERR_NULL, VG_ERR_KEY, VG_ERR_NONCE_LEN. */
enum vg_status vg_aes_gcm_stream_init(struct vg_aes_gcm_stream *stream, const struct vg_aes_gcm *gcm,
                                      const uint8_t *nonce, size_t nonce_len);
/* Errors: VG_ERR_NULL, VG_ERR_ORDER, VG_ERR_AAD_LEN (of the sum). */
enum vg_status vg_aes_gcm_stream_aad(struct vg_aes_gcm_stream *stream, const uint8_t *aad, size_t len);
/* Errors of the four: VG_ERR_NULL, VG_ERR_ORDER, VG_ERR_TEXT_LEN (of the sum), VG_ERR_OVERLAP. */
enum vg_status vg_aes_gcm_stream_encrypt(struct vg_aes_gcm_stream *stream, uint8_t *text, size_t len);
enum vg_status vg_aes_gcm_stream_encrypt_to(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst,
                                            size_t len);
/* Write the tag. Errors: VG_ERR_NULL, VG_ERR_ORDER. */
enum vg_status vg_aes_gcm_stream_finish(struct vg_aes_gcm_stream *stream, uint8_t tag[VG_AT_LEAST(16)]);
#if VG_OPEN
enum vg_status vg_aes_gcm_stream_decrypt(struct vg_aes_gcm_stream *stream, uint8_t *text, size_t len);
enum vg_status vg_aes_gcm_stream_decrypt_to(struct vg_aes_gcm_stream *stream, const uint8_t *src, uint8_t *dst,
                                            size_t len);
/* Check the tag. Errors: VG_ERR_NULL, VG_ERR_ORDER, VG_ERR_TAG_LEN (these leave the stream as it was), VG_ERR_AUTH. */
enum vg_status vg_aes_gcm_stream_verify(struct vg_aes_gcm_stream *stream, const uint8_t *tag, size_t tag_len);
#endif
#endif

#if VG_BURST
/* Seal n packets, each with its own key; returns how many are VG_OK, and each packet's status says why it is not.
 * Packets do not share buffers that any of them writes. Per packet: the errors of seal_to with a 12-byte nonce. */
size_t vg_aes_gcm_seal_burst(struct vg_packet *packets, size_t n);
#if VG_OPEN
/* Open n packets; per packet what open_to does with a 16-byte tag. */
size_t vg_aes_gcm_open_burst(struct vg_packet *packets, size_t n);
#endif
#endif

#ifdef __cplusplus
}
#endif
#endif
