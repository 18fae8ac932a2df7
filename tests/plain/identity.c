/* What the selector makes of other CPUs: its own detection runs, and is given the answers of one.
 *
 *   identity MEANS VENDOR SIGNATURE LEAF1_ECX LEAF7_EBX LEAF7_ECX XCR0    numbers in hexadecimal
 *   identity                                                               this CPU's own answers, by each of the means
 *
 * Means: "step" runs detection one instruction at a time and answers CPUID and XGETBV instead of the CPU; it works
 * wherever the trap flag does. "fault" has the kernel make CPUID fault, where hardware and hypervisor can; XGETBV then
 * stays the CPU's own. Prints the variant that a key set up then uses, or the status that refuses it. Where the CPU has
 * all that the other one has, the self-test runs too. Exit status: 0, 1 wrong, 3 these means do not exist here. */
#define _GNU_SOURCE /* registers in signal handlers */
#include <internal.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <vg/vg.h>

enum { CPUID_FAULT = 0x1012, TRAP_FLAG = 0x100, WRONG = 1, NOT_HERE = 3 };

static struct vg_cpu_id other;
static volatile unsigned answered;

static void answer_cpuid(greg_t *r)
{
    uint32_t leaf = (uint32_t)r[REG_RAX], out[4] = {0};
    if (leaf == 0) {
        out[0] = 7;
        out[1] = other.vendor[0];
        out[3] = other.vendor[1];
        out[2] = other.vendor[2];
    } else if (leaf == 1) {
        out[0] = other.signature;
        out[2] = other.leaf1_ecx;
    } else if (leaf == 7) {
        out[1] = other.leaf7_ebx;
        out[2] = other.leaf7_ecx;
    }
    r[REG_RAX] = out[0];
    r[REG_RBX] = out[1];
    r[REG_RCX] = out[2];
    r[REG_RDX] = out[3];
}

/* SIGTRAP comes before the instruction at RIP has run, and so does the SIGSEGV of a CPUID that faults. */
static void answer(int number, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const uint8_t *code = (const uint8_t *)r[REG_RIP];
    (void)info;
    if (code[0] == 0x0f && code[1] == 0xa2) {
        answer_cpuid(r);
        r[REG_RIP] += 2;
        answered++;
    } else if (number == SIGTRAP && code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xd0) {
        r[REG_RAX] = other.xcr0;
        r[REG_RDX] = 0;
        r[REG_RIP] += 3;
    } else if (number == SIGSEGV) {
        _exit(WRONG);
    }
}

static int begin(int step)
{
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO};
    sigaction(step ? SIGTRAP : SIGSEGV, &action, NULL);
    if (step)
        __asm__ volatile("sub $128, %%rsp; pushfq; orq %0, (%%rsp); popfq; add $128, %%rsp"
                         :
                         : "i"(TRAP_FLAG)
                         : "cc", "memory");
    else if (syscall(SYS_arch_prctl, CPUID_FAULT, 0L))
        return NOT_HERE;
    return 0;
}

static void end(int step)
{
    if (step)
        __asm__ volatile("sub $128, %%rsp; pushfq; andq %0, (%%rsp); popfq; add $128, %%rsp"
                         :
                         : "i"(~TRAP_FLAG)
                         : "cc", "memory");
    else
        syscall(SYS_arch_prctl, CPUID_FAULT, 1L);
}

/* The variant for this identity; its name is NULL if there is none. */
static struct vg_variant_info chosen(void)
{
    struct vg_variant_info info;
    for (size_t v = 0; vg_variants(v, &info); v++)
        if (info.chosen)
            return info;
    return (struct vg_variant_info){.name = NULL};
}

/* Key set-up decides as the detection did. Only kernels that this CPU has are run. */
static int try_keys(const struct vg_variant_info *wanted, uint32_t own_features)
{
    struct vg_aes_gcm gcm;
    const size_t key_len = VG_AES128 ? 16 : VG_AES192 ? 24 : 32;
    if (wanted->name && wanted->needs & ~own_features)
        return 0;
    enum vg_status status = vg_aes_gcm_init(&gcm, (const uint8_t *)"0123456789abcdef0123456789abcdef", key_len);
    if (wanted->name ? status || strcmp(vg_variant_name(&gcm), wanted->name) : status != VG_ERR_CPU) {
        printf("WRONG: key set-up: %s\n", status ? vg_status_text(status) : vg_variant_name(&gcm));
        return WRONG;
    }
#if VG_SELF_TEST
    if (!status && !(vg_cpu_features() & ~own_features)) {
        status = vg_self_test();
        puts(status ? vg_status_text(status) : "self-test passed");
        return status ? WRONG : 0;
    }
#endif
    return 0;
}

static int try_other(int step, uint32_t own_features)
{
    int status = begin(step);
    if (status)
        return status;
    struct vg_variant_info info = chosen();
    end(step);
    if (answered < 2) {
        printf("WRONG: CPUID was answered %u times\n", answered);
        return WRONG;
    }
    puts(info.name ? info.name : vg_status_text(VG_ERR_CPU));
    return try_keys(&info, own_features);
}

/* In a process of its own, since the features are found once in each. */
static int try_own(int step)
{
    const uint32_t all = (UINT32_C(1) << VG_CPU_FEATURE_COUNT) - 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        unsetenv("VG_CPU_FEATURES");
        vg_cpu_read(&other);
        uint32_t own = vg_cpu_decode(&other) & all;
        int status = try_other(step, own);
        if (!status && vg_cpu_features() != own) {
            printf("WRONG: features %x, not %x\n", (unsigned)vg_cpu_features(), (unsigned)own);
            status = WRONG;
        }
        fflush(stdout);
        _exit(status);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return WRONG;
    return WEXITSTATUS(status);
}

static int own_by_all_means(void)
{
    int by_step = try_own(1), by_fault = try_own(0);
    if (by_fault == NOT_HERE)
        puts("SKIPPED: identities by CPUID faulting: this CPU or its hypervisor has no such thing");
    return by_step || (by_fault && by_fault != NOT_HERE);
}

static uint32_t number(const char *text) { return (uint32_t)strtoul(text, NULL, 16); }

int main(int argc, char **argv)
{
    struct vg_cpu_id own;
    char vendor[12] = {0};
    if (argc == 1)
        return own_by_all_means();
    if (argc != 8 || strlen(argv[2]) > sizeof vendor)
        return 2;
    vg_cpu_read(&own);
    memcpy(vendor, argv[2], strlen(argv[2]));
    other = (struct vg_cpu_id){{0, 0, 0},       number(argv[3]), number(argv[4]),
                               number(argv[5]), number(argv[6]), number(argv[7])};
    memcpy(other.vendor, vendor, sizeof vendor); /* ebx, edx, ecx */
    return try_other(!strcmp(argv[1], "step"), vg_cpu_decode(&own));
}
