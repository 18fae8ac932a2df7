/* Key contexts: set-up, powers of H, end. */
#include "internal.h"

static int key_len_is_supported(size_t key_len)
{
    return (VG_AES128 && key_len == 16) || (VG_AES192 && key_len == 24) || (VG_AES256 && key_len == 32);
}

void vg_init_variant(struct vg_aes_gcm *gcm, uint32_t v, const uint8_t *key, size_t key_len)
{
    vg_zero(gcm, sizeof *gcm);
    gcm->variant = v;
    VG_CALL(gcm, init)(gcm, key, key_len);
#if VG_CONTEXT_PREPARED
    VG_CALL(gcm, powers)(gcm);
    gcm->prepared = 1;
#endif
}

enum vg_status vg_aes_gcm_init(struct vg_aes_gcm *gcm, const uint8_t *key, size_t key_len)
{
    if (!gcm)
        return VG_ERR_NULL;
    enum vg_status status = VG_OK;
    uint32_t v = vg_select(vg_cpu_state());
    if (!key)
        status = VG_ERR_NULL;
    else if (!key_len_is_supported(key_len))
        status = VG_ERR_KEY_LEN;
    else if (v == vg_variant_count)
        status = VG_ERR_CPU;
    if (status) {
        vg_aes_gcm_clear(gcm);
        return status;
    }
    vg_init_variant(gcm, v, key, key_len);
    return VG_OK;
}

enum vg_status vg_aes_gcm_prepare(struct vg_aes_gcm *gcm)
{
    if (!gcm)
        return VG_ERR_NULL;
    if (!gcm->rounds)
        return VG_ERR_KEY;
#if VG_CONTEXT_ADAPTIVE
    if (!gcm->prepared) {
        VG_CALL(gcm, powers)(gcm);
        gcm->prepared = 1;
    }
#endif
    return VG_OK;
}

void vg_aes_gcm_clear(struct vg_aes_gcm *gcm)
{
    if (!gcm)
        return;
    vg_zero(gcm, sizeof *gcm);
    __asm__ volatile("" : : "r"(gcm) : "memory");
}
