/* A program without a C library: the archive of a freestanding build is all that it has. It seals and exits 0. */
#include <vg/vg.h>

static void leave(long status)
{
    __asm__ volatile("syscall" : : "a"(60L), "D"(status) : "rcx", "r11", "memory");
    __builtin_unreachable();
}

/* Called by _start. The answer is test case 1, 7 or 13 of the GCM specification: nothing sealed under a zero key. */
__attribute__((used, noreturn)) static void run(void)
{
    static const uint8_t zeros[32];
    static const uint8_t want[3] = {0x58, 0xcd, 0x53};
    struct vg_aes_gcm gcm;
    uint8_t tag[16];
    int size = VG_AES128 ? 0 : VG_AES192 ? 1 : 2;
    int wrong = vg_aes_gcm_init(&gcm, zeros, 16 + 8 * (size_t)size) != VG_OK;
    wrong |= vg_aes_gcm_seal(&gcm, zeros, 12, NULL, 0, NULL, 0, tag) != VG_OK || tag[0] != want[size];
#if VG_SELF_TEST
    wrong |= vg_self_test() != VG_OK;
#endif
    leave(wrong);
    for (;;)
        ;
}

__asm__(".globl _start\n"
        "_start:\n"
        "    xor %ebp, %ebp\n"
        "    and $-16, %rsp\n"
        "    call run\n");
