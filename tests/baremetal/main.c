/* What an image without an operating system has for a main: print what this CPU makes of this build on the serial port,
 * run the self-test while a timer interrupts it, and end the emulator with a verdict.
 *
 * The loader's command line may say xcr0=HEX: the bits of XCR0 to set where the CPU has them, or 0 to leave CR4.OSXSAVE
 * off. Without it all state that vg knows is switched on. */
#include <vg/vg.h>

enum { SERIAL = 0x3f8, SERIAL_CONTROL = SERIAL + 3, SERIAL_STATUS = SERIAL + 5 };
enum { EIGHT_BITS = 3, ROOM = 0x20, ALL_SENT = 0x40 };
enum { QEMU_EXIT = 0xf4, BOCHS_SHUTDOWN = 0x8900 }; /* a status ends the one, this word the other */
enum { PIC_1 = 0x20, PIC_2 = 0xa0, TIMER = 0x40, TIMER_MODE = 0x43, TIMER_VECTOR = 32, TIMER_DIVISOR = 119 };
enum { CODE = 8, INTERRUPT_GATE = 0x8e00 };
enum { XCR0_ALL = 0xe7 };
enum { RUNS_MAX = 10000, INTERRUPTS_WANTED = 20 };

/* What qemu's exit status is made of: 2 * verdict + 1. */
enum verdict { PASSED = 16, FAILED = 17, REFUSED = 18, FAULTED = 19 };

/* The part that is used of what PVH hands over. */
struct start_info {
    uint32_t magic, version, flags, modules;
    uint64_t module_list, command_line;
};

struct gate {
    uint16_t low, selector, type, middle;
    uint32_t high, zero;
};

struct __attribute__((packed)) idt_pointer {
    uint16_t limit;
    uint64_t base;
};

uint64_t enable_xsave(uint64_t wanted);
void load_idt(const struct idt_pointer *pointer);
extern const uint8_t exception_entries[32][16], timer_entry[];
extern volatile uint64_t interrupts_taken;
void run(const struct start_info *info);
void fault(unsigned vector, uint64_t address);

static void out8(uint16_t port, uint8_t value) { __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port)); }

static uint8_t in8(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void wait_for(uint8_t state)
{
    while (!(in8(SERIAL_STATUS) & state))
        ;
}

static void say(const char *text)
{
    for (; *text; text++) {
        wait_for(ROOM);
        out8(SERIAL, (uint8_t)*text);
    }
}

static void say_hex(uint64_t value)
{
    char digits[] = "0x0000000000000000";
    for (int i = 17; i > 1; i--, value >>= 4)
        digits[i] = "0123456789abcdef"[value & 15];
    say(digits);
}

__attribute__((noreturn)) static void leave(enum verdict verdict)
{
    __asm__ volatile("cli");
    wait_for(ALL_SENT);
    out8(QEMU_EXIT, (uint8_t)verdict);
    for (const char *p = "Shutdown"; *p; p++)
        out8(BOCHS_SHUTDOWN, (uint8_t)*p);
    for (;;)
        __asm__ volatile("hlt");
}

void fault(unsigned vector, uint64_t address)
{
    say("exception ");
    say_hex(vector);
    say(" at ");
    say_hex(address);
    say("\n");
    leave(FAULTED);
}

static struct gate gate(const uint8_t *entry)
{
    uint64_t address = (uintptr_t)entry;
    return (struct gate){
        .low = (uint16_t)address,
        .selector = CODE,
        .type = INTERRUPT_GATE,
        .middle = (uint16_t)(address >> 16),
        .high = (uint32_t)(address >> 32),
    };
}

static void set_up_interrupts(void)
{
    static struct gate idt[TIMER_VECTOR + 1];
    for (unsigned i = 0; i < 32; i++)
        idt[i] = gate(exception_entries[i]);
    idt[TIMER_VECTOR] = gate(timer_entry);
    load_idt(&(struct idt_pointer){sizeof idt - 1, (uintptr_t)idt});
    /* Both interrupt controllers: vectors, how they are wired, the mode; then the timer's line alone. */
    static const uint8_t first[] = {0x11, TIMER_VECTOR, 4, 1}, second[] = {0x11, TIMER_VECTOR + 8, 2, 1};
    for (unsigned i = 0; i < 4; i++) {
        out8(PIC_1 + (i > 0), first[i]);
        out8(PIC_2 + (i > 0), second[i]);
    }
    out8(PIC_1 + 1, 0xfe);
    out8(PIC_2 + 1, 0xff);
    out8(TIMER_MODE, 0x34);
    out8(TIMER, TIMER_DIVISOR);
    out8(TIMER, 0);
    __asm__ volatile("sti");
}

static uint64_t wanted_xcr0(const char *line)
{
    static const char name[] = "xcr0=";
    unsigned i = 0;
    while (name[i] && line[i] == name[i])
        i++;
    if (name[i])
        return XCR0_ALL;
    uint64_t value = 0;
    for (line += i; *line && *line != ' '; line++)
        value = value << 4 | (uint64_t)(*line <= '9' ? *line - '0' : *line - 'a' + 10);
    return value;
}

static void say_variants(void)
{
    struct vg_variant_info info;
    say("features:");
    for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT; bit++)
        if (vg_cpu_features() >> bit & 1) {
            say(" ");
            say(vg_cpu_feature_name(bit));
        }
    say("\n");
    for (size_t v = 0; vg_variants(v, &info); v++) {
        say("variant ");
        say(info.name);
        say(info.missing ? ": cannot run here\n" : ": can run here\n");
    }
}

/* Often enough that the timer has come between; not once without an answer. */
static enum vg_status self_test(void)
{
    uint64_t before = interrupts_taken;
    for (unsigned runs = 0; runs < RUNS_MAX; runs++) {
        enum vg_status status = vg_self_test();
        if (status)
            return status;
        if (interrupts_taken - before >= INTERRUPTS_WANTED) {
            say("interrupted: yes\n");
            return VG_OK;
        }
    }
    say("interrupted: no\n");
    return VG_OK;
}

void run(const struct start_info *info)
{
    static const uint8_t key[32];
    struct vg_aes_gcm gcm;
    uint64_t wanted = wanted_xcr0(info->command_line ? (const char *)(uintptr_t)info->command_line : "");
    out8(SERIAL_CONTROL, EIGHT_BITS);
    set_up_interrupts();
    say("\nXCR0: ");
    say_hex(wanted ? enable_xsave(wanted) : 0);
    say("\n");
    say_variants();
    enum vg_status status = vg_aes_gcm_init(&gcm, key, VG_AES128 ? 16 : VG_AES192 ? 24 : 32);
    say("key set-up: ");
    say(vg_status_text(status));
    say("\nchosen: ");
    say(vg_variant_name(&gcm));
    say("\n");
    if (status) {
        status = vg_self_test();
        say("self-test: ");
        say(vg_status_text(status));
        say("\n");
        leave(status == VG_ERR_CPU ? REFUSED : FAILED);
    }
    status = self_test();
    say("self-test: ");
    say(vg_status_text(status));
    say("\n");
    leave(status ? FAILED : PASSED);
}
