/* Runs one static Linux program on a machine that has nothing else, so that an emulator need not boot a kernel for it.
 *
 * The loader hands over the program's file, its arguments and its environment. The program runs at privilege level 0 in
 * memory of its own, with the few system calls that a test needs: it writes, has pages that fault, and ends. There are
 * no signals, no files, no threads and no interrupts. All vector state that the CPU has is switched on, or what the
 * loader's command line leaves of it: xcr0=HEX, or 0 for CR4.OSXSAVE off.
 *
 * The program's output goes to the first serial port, what the supervisor has to say to the second. */
#include <asm/prctl.h>
#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

enum { OUTPUT = 0x3f8, MESSAGES = 0x2f8 };
enum { LINE_CONTROL = 3, LINE_STATUS = 5, EIGHT_BITS = 3, ROOM = 0x20, ALL_SENT = 0x40 };
enum { SHUTDOWN = 0x8900 }; /* a port of Bochs: it ends at this word */
enum { CODE = 8, TASK = 24, INTERRUPT_GATE = 0x8e00, FIRST_STACK = 1, EXCEPTIONS = 32 };
enum { PAGE = 4096, PRESENT = 1, WRITABLE = 2 };
enum { MSR_EFER = 0xc0000080, MSR_STAR, MSR_LSTAR, MSR_SFMASK = 0xc0000084, MSR_FS_BASE = 0xc0000100 };
enum { SYSCALL_ENABLE = 1, DIRECTION = 0x400, XCR0_ALL = 0xe7 };
enum { FAULTED = 128, NUMBERS = 512 };

/* Memory in bytes. The supervisor lies below all this, and what was handed over above. */
enum { PROGRAM = 4 << 20, HEAP_END = 40 << 20, MAPPINGS_END = 94 << 20, STACK = 95 << 20, STACK_END = 96 << 20 };
enum { TABLES = STACK_END >> 21, ARGUMENTS_MOST = 64 << 10 };

struct module {
    uint64_t address, len, unused[2];
};
enum { FILE_MODULE, ARGUMENTS_MODULE, ENVIRONMENT_MODULE };

/* The part that is used of what PVH hands over. */
struct start_info {
    uint32_t magic, version, flags, modules;
    uint64_t module_list, command_line;
};

struct gate {
    uint16_t low, selector, type, middle;
    uint32_t high, zero;
};

struct __attribute__((packed)) table_pointer {
    uint16_t limit;
    uint64_t base;
};

struct __attribute__((packed)) task {
    uint32_t zero;
    uint64_t stacks[3], zero_too, exception_stacks[7], zero_three;
    uint16_t zero_four, io_map;
};

/* Arguments as system_call.asm pushes them. */
struct arguments {
    uint64_t f, e, d, c, b, a;
};

uint64_t enable_xsave(uint64_t wanted);
void load_idt(const struct table_pointer *pointer);
extern const uint8_t exception_entries[EXCEPTIONS][16], system_call_entry[];
_Noreturn void start_program(uint64_t entry, uint64_t stack);
void run(const struct start_info *info);
_Noreturn void fault(unsigned vector, uint64_t address);
int64_t system_call(uint64_t number, const struct arguments *in);

static uint64_t page_tables[TABLES][512] __attribute__((aligned(PAGE)));
static uint64_t heap, heap_end, mapped_from = MAPPINGS_END;

static void *at(uint64_t address) { return (void *)(uintptr_t)address; }

static uint64_t whole_pages(uint64_t len) { return (len + PAGE - 1) & -(uint64_t)PAGE; }

static void out8(uint16_t port, uint8_t value) { __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port)); }

static uint8_t in8(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void write_msr(uint32_t number, uint64_t value)
{
    __asm__ volatile("wrmsr" : : "c"(number), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)));
}

static uint64_t read_msr(uint32_t number)
{
    uint32_t low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(number));
    return (uint64_t)high << 32 | low;
}

static void wait_for(uint16_t port, uint8_t state)
{
    while (!(in8((uint16_t)(port + LINE_STATUS)) & state))
        ;
}

static void put(uint16_t port, uint8_t byte)
{
    wait_for(port, ROOM);
    out8(port, byte);
}

static void say(const char *text)
{
    for (; *text; text++)
        put(MESSAGES, (uint8_t)*text);
}

static void say_number(const char *before, uint64_t value, unsigned base)
{
    char digits[21], *p = digits + sizeof digits - 1;
    *p = 0;
    do
        *--p = "0123456789abcdef"[value % base];
    while (value /= base);
    say(before);
    say(p);
}

_Noreturn static void leave(unsigned status)
{
    say_number("exit status ", status, 10);
    say("\n");
    wait_for(OUTPUT, ALL_SENT);
    wait_for(MESSAGES, ALL_SENT);
    for (const char *p = "Shutdown"; *p; p++)
        out8(SHUTDOWN, (uint8_t)*p);
    for (;;)
        __asm__ volatile("cli\n\thlt");
}

void fault(unsigned vector, uint64_t address)
{
    uint64_t touched;
    __asm__ volatile("mov %%cr2, %0" : "=r"(touched));
    say_number("exception ", vector, 10);
    say_number(" at 0x", address, 16);
    say_number(", CR2 0x", touched, 16);
    say("\n");
    leave(FAULTED + vector);
}

/* Exceptions get a stack of their own: that of the program may be what faulted. */
static void set_up_exceptions(void)
{
    static struct gate idt[EXCEPTIONS];
    static uint8_t stack[16384] __attribute__((aligned(16)));
    static struct task task;
    static uint64_t gdt[] = {0, 0x00af9a000000ffff, 0x00cf92000000ffff, 0, 0};
    const struct table_pointer gdt_pointer = {sizeof gdt - 1, (uintptr_t)gdt},
                               idt_pointer = {sizeof idt - 1, (uintptr_t)idt};
    uint64_t address = (uintptr_t)&task;
    task.exception_stacks[FIRST_STACK - 1] = (uintptr_t)(stack + sizeof stack);
    task.io_map = sizeof task;
    gdt[3] = (sizeof task - 1) | (address & 0xffffff) << 16 | UINT64_C(0x89) << 40 | (address >> 24 & 0xff) << 56;
    gdt[4] = address >> 32;
    __asm__ volatile("lgdt %0\n\tltr %1" : : "m"(gdt_pointer), "r"((uint16_t)TASK) : "memory");
    for (unsigned i = 0; i < EXCEPTIONS; i++) {
        address = (uintptr_t)exception_entries[i];
        idt[i] = (struct gate){
            .low = (uint16_t)address,
            .selector = CODE,
            .type = INTERRUPT_GATE | FIRST_STACK,
            .middle = (uint16_t)(address >> 16),
            .high = (uint32_t)(address >> 32),
        };
    }
    load_idt(&idt_pointer);
}

/* Linux's bits of protection: nothing, or reading, with or without writing. */
static int64_t protect(uint64_t from, uint64_t len, uint64_t protection)
{
    if (from % PAGE || from < PROGRAM || from > STACK_END || len > STACK_END - from)
        return -EINVAL;
    uint64_t flags = protection & PROT_WRITE ? PRESENT | WRITABLE : protection ? PRESENT : 0;
    for (uint64_t to = from + whole_pages(len); from < to; from += PAGE) {
        page_tables[from >> 21][from >> 12 & 511] = flags ? from | flags : 0;
        __asm__ volatile("invlpg (%0)" : : "r"(from) : "memory");
    }
    return 0;
}

/* Pages of 4 KiB below what was handed over, each address at itself: the supervisor's, none yet of the program, and
 * none where NULL points to. */
static void set_up_pages(void)
{
    uint64_t *map, cr0;
    __asm__ volatile("mov %%cr3, %0" : "=r"(map));
    uint64_t *directory = at(*(uint64_t *)at(*map & -(uint64_t)PAGE) & -(uint64_t)PAGE);
    for (uint64_t address = PAGE; address < PROGRAM; address += PAGE)
        page_tables[address >> 21][address >> 12 & 511] = address | PRESENT | WRITABLE;
    for (uint64_t i = 0; i < TABLES; i++)
        directory[i] = (uintptr_t)page_tables[i] | PRESENT | WRITABLE;
    __asm__ volatile("mov %0, %%cr3" : : "r"(map) : "memory");
    __asm__ volatile("mov %%cr0, %0\n\tbts $16, %0\n\tmov %0, %%cr0" : "=r"(cr0)); /* WP */
}

static void copy(uint64_t to, const void *from, uint64_t len)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len) : : "memory");
}

/* Memory is zero at first, and no page is mapped twice. */
static int64_t map(uint64_t len, uint64_t protection, uint64_t flags)
{
    if (!(flags & MAP_ANONYMOUS) || flags & MAP_FIXED)
        return -EINVAL;
    if (len > mapped_from - HEAP_END)
        return -ENOMEM;
    mapped_from -= whole_pages(len);
    protect(mapped_from, len, protection);
    return (int64_t)mapped_from;
}

static int64_t move_heap_end(uint64_t wanted)
{
    if (wanted >= heap && wanted <= HEAP_END) {
        uint64_t mapped = whole_pages(heap_end);
        if (wanted > mapped)
            protect(mapped, wanted - mapped, PROT_READ | PROT_WRITE);
        heap_end = wanted;
    }
    return (int64_t)heap_end;
}

static int64_t write_all(const struct iovec *parts, uint64_t n)
{
    size_t len = 0;
    for (uint64_t i = 0; i < n; i++) {
        for (size_t j = 0; j < parts[i].iov_len; j++)
            put(OUTPUT, ((const uint8_t *)parts[i].iov_base)[j]);
        len += parts[i].iov_len;
    }
    return (int64_t)len;
}

/* As if each tick of the TSC took a nanosecond. */
static int64_t tell_time(struct timespec *now)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    uint64_t ticks = (uint64_t)high << 32 | low;
    *now = (struct timespec){(time_t)(ticks / 1000000000), (long)(ticks % 1000000000)};
    return 0;
}

/* As if all files were terminals: then no output waits in a buffer for a program that faults. */
static int64_t describe_file(struct stat *status)
{
    *status = (struct stat){.st_mode = S_IFCHR};
    return 0;
}

static int64_t refuse_loudly(uint64_t number)
{
    static uint8_t said[NUMBERS];
    if (number < NUMBERS && !said[number]++) {
        say_number("refused: system call ", number, 10);
        say("\n");
    }
    return -ENOSYS;
}

int64_t system_call(uint64_t number, const struct arguments *in)
{
    switch (number) {
    case SYS_exit:
    case SYS_exit_group:
        leave(in->a & 0xff);
    case SYS_write:
        return write_all(&(struct iovec){at(in->b), in->c}, 1);
    case SYS_writev:
        return write_all(at(in->b), in->c);
    case SYS_brk:
        return move_heap_end(in->a);
    case SYS_mmap:
        return map(in->b, in->c, in->d);
    case SYS_mprotect:
        return protect(in->a, in->b, in->c);
    case SYS_munmap:
        return protect(in->a, in->b, PROT_NONE);
    case SYS_fstat:
        return describe_file(at(in->b));
    case SYS_newfstatat:
        return describe_file(at(in->c));
    case SYS_clock_gettime:
        return tell_time(at(in->b));
    case SYS_arch_prctl:
        if (in->a != ARCH_SET_FS)
            return -EINVAL;
        write_msr(MSR_FS_BASE, in->b);
        return 0;
    case SYS_getpid:
    case SYS_gettid:
    case SYS_set_tid_address:
        return 1;
    case SYS_close:
    case SYS_ioctl:
    case SYS_read:
    case SYS_rt_sigaction:
    case SYS_rt_sigprocmask:
        return 0;
    case SYS_getrandom: /* a C library asks for these, and does without */
    case SYS_prlimit64:
    case SYS_readlink:
    case SYS_rseq:
    case SYS_set_robust_list:
        return -ENOSYS;
    default:
        return refuse_loudly(number);
    }
}

/* Maps and copies the program. 0 if it is none that can run here. */
static int load(const struct module *file)
{
    const Elf64_Ehdr *elf = at(file->address);
    const Elf64_Phdr *part = at(file->address + elf->e_phoff);
    if (elf->e_type != ET_EXEC || elf->e_machine != EM_X86_64)
        return 0;
    for (unsigned i = 0; i < elf->e_phnum; i++, part++) {
        if (part->p_type == PT_INTERP)
            return 0;
        if (part->p_type != PT_LOAD)
            continue;
        uint64_t from = part->p_vaddr & -(uint64_t)PAGE, end = part->p_vaddr + part->p_memsz;
        if (end > HEAP_END || protect(from, end - from, PROT_READ | PROT_WRITE))
            return 0;
        copy(part->p_vaddr, at(file->address + part->p_offset), part->p_filesz);
        heap = heap_end = whole_pages(end);
    }
    return 1;
}

static uint64_t *put_strings(uint64_t *to, const struct module *strings)
{
    const char *p = at(strings->address);
    for (uint64_t i = 0; i < strings->len; i++)
        if (i == 0 || p[i - 1] == 0)
            *to++ = (uintptr_t)(p + i);
    *to++ = 0;
    return to;
}

/* What a C library finds on the stack: argc, argv, envp, the auxiliary vector. Strings and headers stay where they are.
 */
static uint64_t make_stack(const struct module *modules, const Elf64_Ehdr *elf)
{
    const uint64_t vector[] = {
        AT_PHDR,   modules[FILE_MODULE].address + elf->e_phoff,
        AT_PHENT,  elf->e_phentsize,
        AT_PHNUM,  elf->e_phnum,
        AT_PAGESZ, PAGE,
        AT_RANDOM, modules[FILE_MODULE].address, /* not random at all, so that each run is like the last */
        AT_NULL,   0,
    };
    protect(STACK, STACK_END - STACK, PROT_READ | PROT_WRITE);
    uint64_t *stack = at(STACK_END - ARGUMENTS_MOST);
    uint64_t *environment = put_strings(stack + 1, modules + ARGUMENTS_MODULE);
    stack[0] = (uint64_t)(environment - stack) - 2;
    copy((uintptr_t)put_strings(environment, modules + ENVIRONMENT_MODULE), vector, sizeof vector);
    return (uintptr_t)stack;
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
    for (line += i; *line; line++)
        value = value << 4 | (uint64_t)(*line <= '9' ? *line - '0' : *line - 'a' + 10);
    return value;
}

void run(const struct start_info *info)
{
    const struct module *modules = at(info->module_list);
    const Elf64_Ehdr *elf = at(modules[FILE_MODULE].address);
    uint64_t xcr0 = wanted_xcr0(at(info->command_line));
    out8(OUTPUT + LINE_CONTROL, EIGHT_BITS);
    out8(MESSAGES + LINE_CONTROL, EIGHT_BITS);
    set_up_exceptions();
    set_up_pages();
    if (xcr0)
        enable_xsave(xcr0);
    write_msr(MSR_STAR, (uint64_t)CODE << 32);
    write_msr(MSR_LSTAR, (uintptr_t)system_call_entry);
    write_msr(MSR_SFMASK, DIRECTION);
    write_msr(MSR_EFER, read_msr(MSR_EFER) | SYSCALL_ENABLE);
    if (!load(modules + FILE_MODULE)) {
        say("refused: not a static program for a fixed address below 40 MiB\n");
        leave(FAULTED);
    }
    start_program(elf->e_entry, make_stack(modules, elf));
}
