#include "internal.h"

static size_t count(struct vg_packet *packet, enum vg_status status)
{
    packet->status = status;
    return status == VG_OK;
}

size_t vg_aes_gcm_seal_burst(struct vg_packet *packets, size_t n)
{
    size_t good = 0;
    for (size_t i = 0; packets && i < n; i++) {
        struct vg_packet *p = packets + i;
        good += count(p, vg_aes_gcm_seal_to(p->gcm, p->nonce, 12, p->aad, p->aad_len, p->src, p->dst, p->len, p->tag));
    }
    return good;
}

#if VG_OPEN
size_t vg_aes_gcm_open_burst(struct vg_packet *packets, size_t n)
{
    size_t good = 0;
    for (size_t i = 0; packets && i < n; i++) {
        struct vg_packet *p = packets + i;
        good +=
            count(p, vg_aes_gcm_open_to(p->gcm, p->nonce, 12, p->aad, p->aad_len, p->src, p->dst, p->len, p->tag, 16));
    }
    return good;
}
#endif
