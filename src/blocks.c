#include "check.h"
#include <vg/blocks.h>

#define BLOCKS_MAX ((UINT64_C(1) << 32) - 2) /* SP 800-38D, section 5.2.1.1 */

static enum vg_status check_blocks(const struct vg_aes_gcm *gcm, const uint8_t *state, const uint8_t *src,
                                   const uint8_t *dst, size_t n)
{
    if (!gcm || !state || (n && (!src || !dst)))
        return VG_ERR_NULL;
    if (!gcm->rounds)
        return VG_ERR_KEY;
    if (n > BLOCKS_MAX)
        return VG_ERR_TEXT_LEN;
    return vg_overlaps_partly(dst, src, 16 * n) ? VG_ERR_OVERLAP : VG_OK;
}

enum vg_status vg_aes_expand_key(uint8_t *round_keys, const uint8_t *key, size_t key_len)
{
    struct vg_aes_gcm gcm;
    if (!round_keys)
        return VG_ERR_NULL;
    enum vg_status status = vg_aes_gcm_init(&gcm, key, key_len);
    if (status)
        return status;
    vg_copy(round_keys, gcm.round_key, 16 * (gcm.rounds + 1));
    vg_aes_gcm_clear(&gcm);
    return VG_OK;
}

enum vg_status vg_aes_ctr32_to(const struct vg_aes_gcm *gcm, uint8_t counter[16], const uint8_t *src, uint8_t *dst,
                               size_t n)
{
    enum vg_status status = check_blocks(gcm, counter, src, dst, n);
    if (!status && n)
        VG_CALL(gcm, ctr32_to)(gcm, counter, src, dst, n);
    return status;
}

enum vg_status vg_aes_ctr32(const struct vg_aes_gcm *gcm, uint8_t counter[16], uint8_t *text, size_t n)
{
    return vg_aes_ctr32_to(gcm, counter, text, text, n);
}

enum vg_status vg_ghash(const struct vg_aes_gcm *gcm, uint8_t y[16], const uint8_t *data, size_t n)
{
    if (!gcm || !y || (n && !data))
        return VG_ERR_NULL;
    if (!gcm->rounds)
        return VG_ERR_KEY;
    if (n)
        VG_CALL_FORM(gcm, ghash)(gcm, y, data, n);
    return VG_OK;
}

VG_NOINLINE static enum vg_status crypt(const struct vg_aes_gcm *gcm, uint8_t counter[16], uint8_t y[16],
                                        const uint8_t *src, uint8_t *dst, size_t n, uint32_t direction)
{
    struct vg_run run;
    enum vg_status status = y ? check_blocks(gcm, counter, src, dst, n) : VG_ERR_NULL;
    if (status || !n)
        return status;
    vg_store128(run.counter, vg_load128(counter));
    vg_store128(run.y, vg_load128(y));
    VG_CALL_FORM(gcm, crypt_run)(gcm, &run, src, dst, n, direction);
    vg_store128(counter, vg_load128(run.counter));
    vg_store128(y, vg_load128(run.y));
    vg_wipe(&run, sizeof run);
    return VG_OK;
}

enum vg_status vg_aes_gcm_encrypt_blocks_to(const struct vg_aes_gcm *gcm, uint8_t counter[16], uint8_t y[16],
                                            const uint8_t *src, uint8_t *dst, size_t n)
{
    return crypt(gcm, counter, y, src, dst, n, 0);
}

enum vg_status vg_aes_gcm_encrypt_blocks(const struct vg_aes_gcm *gcm, uint8_t counter[16], uint8_t y[16],
                                         uint8_t *text, size_t n)
{
    return crypt(gcm, counter, y, text, text, n, 0);
}

#if VG_OPEN
enum vg_status vg_aes_gcm_decrypt_blocks(const struct vg_aes_gcm *gcm, uint8_t counter[16], uint8_t y[16],
                                         uint8_t *text, size_t n)
{
    return crypt(gcm, counter, y, text, text, n, VG_RUN_DECRYPT);
}
#endif
