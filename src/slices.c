#include "slices.h"

void vg_stream_slices(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                      size_t aad_len, const struct vg_slice *src, size_t n, uint8_t *dst, size_t len, uint8_t tag[16])
{
    struct vg_aes_gcm_stream stream;
    vg_count_call(gcm, len);
    vg_pieces_begin(&stream, gcm, nonce, nonce_len);
    vg_pieces_aad(&stream, aad, aad_len);
    for (size_t i = 0; i < n; dst += src[i++].len)
        vg_pieces_crypt(&stream, src[i].data, dst, src[i].len, 0);
    vg_pieces_tag(&stream, tag);
}
