/* A dataplane with vg: messages that lie in chains of mbufs, as ESP has them (RFC 4106), sealed and opened where they
 * lie or into another chain, and compared with libcrypto. Nothing outside the data of an mbuf may change.
 *
 *   chain EAL-OPTIONS    prints how many messages went through; exit status 0 if all is well */
#include <openssl/evp.h>
#include <rte_eal.h>
#include <rte_mbuf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vg/vg.h>

/* A frame: SPI and sequence number, which are the AAD; the nonce's last 8 bytes; text; tag. */
enum { AAD = 8, HEAD = 16, TAG = 16, TEXT_MAX = 1968, FRAME_MAX = HEAD + TEXT_MAX + TAG };
enum { SEGMENTS_MAX = 8, MBUFS_MAX = SEGMENTS_MAX + 1, PIECES_MAX = 2 * MBUFS_MAX };
enum { POOL = 127, JUNK = 0xa5 };

struct rig {
    struct rte_mempool *pool;
    struct vg_aes_gcm gcm;
    uint8_t key[32], salt[4];
    size_t key_len;
    unsigned messages, wrong;
};

static unsigned below(unsigned n) { return (unsigned)rand() % n; }

static void fill(uint8_t *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        p[i] = (uint8_t)below(256);
}

static void complain(struct rig *rig, const char *what, size_t len, unsigned segments)
{
    printf("WRONG: %s, %zu bytes of text, %u segments, key %zu\n", what, len, segments, rig->key_len);
    rig->wrong++;
}

/* frame[HEAD + len + TAG] in a chain: text cut anywhere into n segments, the tag behind the last or in its own mbuf. */
static struct rte_mbuf *chain_of(struct rig *rig, const uint8_t *frame, size_t len, unsigned n, int own_tag)
{
    struct rte_mbuf *chain = NULL;
    size_t at = 0, text = len;
    for (unsigned i = 0; i < n + (unsigned)own_tag; i++) {
        size_t take = TAG;
        if (i < n) {
            size_t part = i + 1 == n ? text : below((unsigned)text + 1);
            text -= part;
            take = part + (i == 0 ? HEAD : 0) + (i + 1 == n && !own_tag ? TAG : 0);
        }
        struct rte_mbuf *m = rte_pktmbuf_alloc(rig->pool);
        if (!m || rte_pktmbuf_tailroom(m) < take)
            rte_panic("no room for a segment\n");
        memset(m->buf_addr, JUNK, m->buf_len);
        memcpy(rte_pktmbuf_append(m, (uint16_t)take), frame + at, take);
        at += take;
        if (!chain)
            chain = m;
        else if (rte_pktmbuf_chain(chain, m))
            rte_panic("the chain is too long\n");
    }
    return chain;
}

static void frame_of(const struct rte_mbuf *m, uint8_t *frame)
{
    for (; m; frame += m->data_len, m = m->next)
        memcpy(frame, rte_pktmbuf_mtod(m, const void *), m->data_len);
}

static int is_junk(const uint8_t *p, const uint8_t *end)
{
    while (p < end && *p == JUNK)
        p++;
    return p == end;
}

/* Headroom and tailroom are as they were. */
static int is_kept_within(const struct rte_mbuf *m)
{
    for (; m; m = m->next) {
        const uint8_t *data = rte_pktmbuf_mtod(m, const uint8_t *), *room = m->buf_addr;
        if (!is_junk(room, data) || !is_junk(data + m->data_len, room + m->buf_len))
            return 0;
    }
    return 1;
}

static uint8_t *tag_of(struct rte_mbuf *m)
{
    m = rte_pktmbuf_lastseg(m);
    return rte_pktmbuf_mtod_offset(m, uint8_t *, m->data_len - TAG);
}

/* The text of two frames of one length as vg has it: a piece for each stretch that is contiguous in both. */
static size_t pieces_of(struct rte_mbuf *src, struct rte_mbuf *dst, size_t len, struct vg_segment *pieces)
{
    size_t n = 0, src_at = HEAD, dst_at = HEAD;
    while (len) {
        for (; src_at == src->data_len; src_at = 0)
            src = src->next;
        for (; dst_at == dst->data_len; dst_at = 0)
            dst = dst->next;
        size_t take = RTE_MIN(RTE_MIN(src->data_len - src_at, dst->data_len - dst_at), len);
        pieces[n++] = (struct vg_segment){rte_pktmbuf_mtod_offset(src, const uint8_t *, src_at),
                                          rte_pktmbuf_mtod_offset(dst, uint8_t *, dst_at), take};
        src_at += take;
        dst_at += take;
        len -= take;
    }
    return n;
}

static void nonce_of(const struct rig *rig, const struct rte_mbuf *m, uint8_t nonce[12])
{
    memcpy(nonce, rig->salt, 4);
    memcpy(nonce + 4, rte_pktmbuf_mtod_offset(m, const uint8_t *, AAD), 8);
}

static enum vg_status seal(const struct rig *rig, struct rte_mbuf *src, struct rte_mbuf *dst, size_t len)
{
    struct vg_segment pieces[PIECES_MAX];
    uint8_t nonce[12];
    size_t n = pieces_of(src, dst, len, pieces);
    nonce_of(rig, src, nonce);
    return vg_aes_gcm_seal_chain(&rig->gcm, nonce, 12, rte_pktmbuf_mtod(src, const uint8_t *), AAD, pieces, n,
                                 tag_of(dst));
}

static enum vg_status open_(const struct rig *rig, struct rte_mbuf *src, struct rte_mbuf *dst, size_t len)
{
    struct vg_segment pieces[PIECES_MAX];
    uint8_t nonce[12];
    size_t n = pieces_of(src, dst, len, pieces);
    nonce_of(rig, src, nonce);
    return vg_aes_gcm_open_chain(&rig->gcm, nonce, 12, rte_pktmbuf_mtod(src, const uint8_t *), AAD, pieces, n,
                                 tag_of(src), TAG);
}

/* frame[HEAD + len + TAG], its text encrypted and its tag written by libcrypto. */
static void seal_by_libcrypto(const struct rig *rig, uint8_t *frame, size_t len)
{
    uint8_t nonce[12];
    int done;
    memcpy(nonce, rig->salt, 4);
    memcpy(nonce + 4, frame + AAD, 8);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    const EVP_CIPHER *cipher = rig->key_len == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
    if (!context || !EVP_EncryptInit_ex(context, cipher, NULL, rig->key, nonce) ||
        !EVP_EncryptUpdate(context, NULL, &done, frame, AAD) ||
        !EVP_EncryptUpdate(context, frame + HEAD, &done, frame + HEAD, (int)len) ||
        !EVP_EncryptFinal_ex(context, frame + HEAD + len, &done) ||
        !EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG, frame + HEAD + len))
        rte_panic("libcrypto refused\n");
    EVP_CIPHER_CTX_free(context);
}

static int is_frame(struct rte_mbuf *m, const uint8_t *frame, size_t len)
{
    uint8_t found[FRAME_MAX];
    frame_of(m, found);
    return m->pkt_len == len && !memcmp(found, frame, len) && is_kept_within(m);
}

/* One message, and the same with a forged tag. The chains of both sides are cut in different ways. */
static void try_message(struct rig *rig, size_t len, unsigned segments, int own_tag, int in_place)
{
    uint8_t plain[FRAME_MAX], sealed[FRAME_MAX], zeros[FRAME_MAX] = {0};
    size_t frame_len = HEAD + len + TAG;
    fill(plain, frame_len);
    memcpy(sealed, plain, frame_len);
    seal_by_libcrypto(rig, sealed, len);
    memcpy(zeros, plain, HEAD);

    struct rte_mbuf *src = chain_of(rig, plain, len, segments, own_tag), *dst = src;
    if (!in_place)
        dst = chain_of(rig, zeros, len, 1 + below(SEGMENTS_MAX), !own_tag);
    if (seal(rig, src, dst, len) || !is_frame(dst, sealed, frame_len))
        complain(rig, "seal", len, segments);
    if (!in_place && !is_frame(src, plain, frame_len))
        complain(rig, "seal changed its source", len, segments);

    struct rte_mbuf *back = in_place ? dst : chain_of(rig, zeros, len, 1 + below(SEGMENTS_MAX), own_tag);
    uint8_t *tag = tag_of(dst), bit = (uint8_t)(1 << below(8));
    size_t at = below(TAG);
    tag[at] ^= bit;
    sealed[HEAD + len + at] ^= bit;
    if (open_(rig, dst, back, len) != VG_ERR_AUTH || !is_frame(back, in_place ? sealed : zeros, frame_len))
        complain(rig, "open of a forgery", len, segments);
    tag[at] ^= bit;
    sealed[HEAD + len + at] ^= bit;

    memcpy(plain + HEAD + len, in_place ? sealed + HEAD + len : zeros + HEAD, TAG);
    if (open_(rig, dst, back, len) || !is_frame(back, plain, frame_len))
        complain(rig, "open", len, segments);
    if (back != dst)
        rte_pktmbuf_free(back);
    if (dst != src)
        rte_pktmbuf_free(dst);
    rte_pktmbuf_free(src);
    rig->messages++;
}

int main(int argc, char **argv)
{
    static const uint16_t lengths[] = {0, 1, 15, 16, 17, 63, 64, 255, 256, 777, 1420, TEXT_MAX};
    static struct rig rig;
    if (rte_eal_init(argc, argv) < 0)
        rte_panic("no EAL\n");
    rig.pool = rte_pktmbuf_pool_create("packets", POOL, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    if (!rig.pool)
        rte_panic("no pool\n");
    for (rig.key_len = 16; rig.key_len <= 32; rig.key_len += 16) {
        fill(rig.key, sizeof rig.key);
        fill(rig.salt, sizeof rig.salt);
        if (vg_aes_gcm_init(&rig.gcm, rig.key, rig.key_len))
            rte_panic("no key\n");
        for (unsigned segments = 1; segments <= SEGMENTS_MAX; segments++)
            for (size_t i = 0; i < RTE_DIM(lengths); i++)
                for (int way = 0; way < 4; way++)
                    try_message(&rig, lengths[i], segments, way & 1, way >> 1);
    }
    if (rte_mempool_avail_count(rig.pool) != POOL)
        complain(&rig, "mbufs were lost", 0, 0);
    printf("%s: %u messages, %u wrong\n", vg_variant_name(&rig.gcm), rig.messages, rig.wrong);
    vg_aes_gcm_clear(&rig.gcm);
    rte_eal_cleanup();
    return rig.wrong != 0;
}
