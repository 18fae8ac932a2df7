/* Packets one after the other, with what the next ones need fetched ahead: their key contexts are as many as packets,
 * so that the cache may have none of them. */
#include "internal.h"

/* So many packets ahead: memory takes longer than one short packet. */
enum { AHEAD = 4, CACHE_LINE = 64 };

/* A short message needs round keys and the powers beside them: the end of the context. */
static void fetch(const struct vg_packet *packet)
{
    const uint8_t *context = (const uint8_t *)packet->gcm;
    const size_t low_powers = VG_POWERS < 16 ? VG_POWERS : 16;
    if (!context)
        return;
    for (size_t at = sizeof packet->gcm->power - 16 * low_powers; at < sizeof *packet->gcm; at += CACHE_LINE)
        __builtin_prefetch(context + at);
}

static void fetch_first(const struct vg_packet *packets, size_t n)
{
    for (size_t i = 0; packets && i < n && i < AHEAD; i++)
        fetch(packets + i);
}

static size_t count(struct vg_packet *packet, enum vg_status status)
{
    packet->status = status;
    return status == VG_OK;
}

size_t vg_aes_gcm_seal_burst(struct vg_packet *packets, size_t n)
{
    size_t good = 0;
    fetch_first(packets, n);
    for (size_t i = 0; packets && i < n; i++) {
        struct vg_packet *p = packets + i;
        if (n - i > AHEAD)
            fetch(p + AHEAD);
        good += count(p, vg_aes_gcm_seal_to(p->gcm, p->nonce, 12, p->aad, p->aad_len, p->src, p->dst, p->len, p->tag));
    }
    return good;
}

#if VG_OPEN
size_t vg_aes_gcm_open_burst(struct vg_packet *packets, size_t n)
{
    size_t good = 0;
    fetch_first(packets, n);
    for (size_t i = 0; packets && i < n; i++) {
        struct vg_packet *p = packets + i;
        if (n - i > AHEAD)
            fetch(p + AHEAD);
        good +=
            count(p, vg_aes_gcm_open_to(p->gcm, p->nonce, 12, p->aad, p->aad_len, p->src, p->dst, p->len, p->tag, 16));
    }
    return good;
}
#endif
