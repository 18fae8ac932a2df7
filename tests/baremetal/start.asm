; Start-up of the bare-metal image: from PVH's entry (32-bit protected mode, flat segments, no paging, EBX = start info)
; to 64-bit C with SSE. What the C part needs in machine instructions stands below: XSAVE state, the IDT, interrupts.

%define CR0_PE     1 << 0
%define CR0_MP     1 << 1
%define CR0_EM     1 << 2
%define CR0_TS     1 << 3
%define CR0_PG     1 << 31
%define CR4_PAE    1 << 5
%define CR4_SSE    3 << 9           ; OSFXSR, OSXMMEXCPT
%define CR4_OSXSAVE_BIT 18
%define XSAVE_BIT  26               ; of ECX of CPUID leaf 1
%define MSR_EFER   0xc0000080
%define EFER_LME   1 << 8
%define PAGE       3                ; present, writable
%define PAGE_2M    0x83
%define CODE       8                ; selectors
%define DATA       16
%define NOTE_ENTRY 18               ; the physical address of a 32-bit entry

%define PIC        0x20
%define PIC_EOI    0x20

global start
extern run, fault

section .note.pvh progbits alloc noexec nowrite align=4
    dd 4, 4, NOTE_ENTRY
    db "Xen", 0
    dd start

section .bss nobits alloc noexec write align=4096
page_map:       resb 4096
page_pointers:  resb 4096
page_directory: resb 4096
stack:          resb 32768
stack_top:
global interrupts_taken
interrupts_taken: resq 1

section .rodata progbits alloc noexec nowrite align=8
gdt:
    dq 0
    dq 0x00af9a000000ffff           ; 64-bit code
    dq 0x00cf92000000ffff           ; data
gdt_pointer:
    dw gdt_pointer - gdt - 1
    dd gdt

section .text progbits alloc exec nowrite align=16
bits 32
start:
    cli
    mov edi, ebx                    ; the argument of run
    mov esp, stack_top
    mov dword [page_map], page_pointers + PAGE
    mov dword [page_pointers], page_directory + PAGE
    mov eax, PAGE_2M                ; the first gigabyte, each address at itself
    xor ecx, ecx
.map:
    mov [page_directory + 8 * ecx], eax
    add eax, 1 << 21
    inc ecx
    cmp ecx, 512
    jb .map
    mov eax, page_map
    mov cr3, eax
    mov eax, CR4_PAE | CR4_SSE
    mov cr4, eax
    mov ecx, MSR_EFER
    rdmsr
    or eax, EFER_LME
    wrmsr
    mov eax, cr0
    and eax, ~(CR0_EM | CR0_TS)
    or eax, CR0_PE | CR0_MP | CR0_PG
    mov cr0, eax
    lgdt [gdt_pointer]
    jmp CODE:long_mode

bits 64
default rel
long_mode:
    mov eax, DATA
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov esp, stack_top
    mov edi, edi
    xor ebp, ebp
    call run
    ud2

; uint64_t enable_xsave(uint64_t wanted): CR4.OSXSAVE, and those bits of XCR0 that are wanted and that the CPU has.
; Returns XCR0, or 0 on a CPU without XSAVE.
global enable_xsave
enable_xsave:
    push rbx
    mov eax, 1
    cpuid
    xor eax, eax
    bt ecx, XSAVE_BIT
    jnc .none
    mov rax, cr4
    bts rax, CR4_OSXSAVE_BIT
    mov cr4, rax
    mov eax, 13
    xor ecx, ecx
    cpuid
    and eax, edi
    xor edx, edx
    xor ecx, ecx
    xsetbv
.none:
    pop rbx
    ret

; void load_idt(const void *pointer)
global load_idt
load_idt:
    lidt [rdi]
    ret

; Entries of the exceptions, 16 bytes each: fault(vector, address of the instruction).
%define HAS_ERROR_CODE (1 << 8 | 31 << 10 | 1 << 17 | 1 << 21 | 1 << 29 | 1 << 30)
global exception_entries
align 16
exception_entries:
%assign vector 0
%rep 32
    align 16
    mov rsi, [rsp + 8 * (HAS_ERROR_CODE >> vector & 1)]
    mov edi, vector
    jmp exception
%assign vector vector + 1
%endrep
exception:
    and rsp, -16
    call fault

; The timer's interrupt, on the stack of whatever it interrupts: it writes over what lies below, as any handler may.
global timer_entry
align 16
timer_entry:
    inc qword [interrupts_taken]
%rep 12
    push -1
%endrep
    add rsp, 8 * 12
    push rax
    mov al, PIC_EOI
    out PIC, al
    pop rax
    iretq
