/* Process 1 of the kernel that tests/check_boot boots. Says what CPUID, XGETBV and a ymm instruction have to say for
 * themselves, runs the tool that lies beside it, and ends the machine. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

static void use_ymm(void) { __asm__ volatile("vpxor %%ymm0, %%ymm0, %%ymm0\n\tvzeroupper" : : : "xmm0"); }

static void print_state(void)
{
    uint32_t a = 1, b, c = 0, d, low = 0, high = 0;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (c >> 27 & 1)
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    printf("init: avx %u, osxsave %u, xcr0 %x\n", (unsigned)(c >> 28 & 1), (unsigned)(c >> 27 & 1), (unsigned)low);
}

/* Run a program, or use_ymm without one, and say how it ended. */
static void run(const char *what, char *const arguments[])
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (arguments)
            execv(arguments[0], arguments);
        else
            use_ymm();
        _exit(arguments ? 127 : 0);
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        printf("init: %s: signal %d\n", what, WTERMSIG(status));
    else
        printf("init: %s: exit %d\n", what, WEXITSTATUS(status));
}

int main(void)
{
    print_state();
    run("ymm", NULL);
    run("vg info", (char *[]){"/vg", "info", NULL});
    run("vg selftest", (char *[]){"/vg", "selftest", NULL});
    fflush(stdout);
    sync();
    reboot(RB_AUTOBOOT);
    return 1;
}
