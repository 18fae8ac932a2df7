; The way from a program to the supervisor and back. Both run at privilege level 0: SYSCALL changes RIP, RCX and R11 only.

bits 64
default rel
global system_call_entry, start_program
extern system_call

section .bss nobits alloc noexec write align=16
supervisor_stack: resb 16384
supervisor_stack_top:
program_rsp:      resq 1

section .text progbits alloc exec nowrite align=16

; RAX = number, RDI RSI RDX R10 R8 R9 = arguments. Only RAX, RCX and R11 change.
system_call_entry:
    mov [program_rsp], rsp
    lea rsp, [supervisor_stack_top]
    push rcx
    push r11
    push rdi
    push rsi
    push rdx
    push r10
    push r8
    push r9
    mov rdi, rax
    mov rsi, rsp                    ; struct arguments
    call system_call
    pop r9
    pop r8
    pop r10
    pop rdx
    pop rsi
    pop rdi
    popfq
    pop rcx
    mov rsp, [program_rsp]
    jmp rcx

; void start_program(uint64_t entry, uint64_t stack)
start_program:
    mov rsp, rsi
    mov rax, rdi
    xor edx, edx
    xor ebp, ebp
    fninit                          ; after reset the control word is not what Linux makes it
    jmp rax
