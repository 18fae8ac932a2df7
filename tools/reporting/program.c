#include <vg/vg.h>

int main(int argc, char **argv)
{
    static uint8_t key[32], nonce[12], text[1500], tag[16];
    struct vg_aes_gcm gcm;
    if (vg_aes_gcm_init(&gcm, key, VG_AES128 ? 16 : VG_AES256 ? 32 : 24))
        return 1;
    vg_aes_gcm_seal(&gcm, nonce, 12, (uint8_t *)argv[0], (size_t)argc, text, sizeof text, tag);
#if VG_OPEN
    return vg_aes_gcm_open(&gcm, nonce, 12, (uint8_t *)argv[0], (size_t)argc, text, sizeof text, tag, 16);
#endif
}
