/* A program that uses two calls: what a linker with --gc-sections leaves of the archive. Exit status 77: this CPU cannot
 * run the archive's variant. In two parts for a shared object. */
int small(void);

#ifndef ONLY_MAIN
#include <vg/vg.h>

int small(void)
{
    static struct vg_aes_gcm gcm;
    static uint8_t key[32], nonce[12], text[100], tag[16];
    enum vg_status status = vg_aes_gcm_init(&gcm, key, VG_AES128 ? 16 : VG_AES192 ? 24 : 32);
    if (status == VG_ERR_CPU)
        return 77;
    return status != VG_OK || vg_aes_gcm_seal(&gcm, nonce, 12, key, 5, text, sizeof text, tag) != VG_OK;
}
#endif

#ifndef ONLY_SMALL
int main(void)
{
    return small();
}
#endif
