; checked_call_frame: the register part of checked_call.c
;
;   void checked_call_frame(struct frame *frame);
;
; In       FRAME=rdi, laid out as below and in checked_call.c
; Out      the fields from RESULT on
; Clobber  as any C function; runs frame->function on the stack frame->stack
;
; The frame's address waits in memory, since the function may spoil every register. Instructions above SSE2 run only at
; frame->level 1 (AVX) and 2 (AVX-512F).

default rel
bits 64

struc frame
.function:  resq 1
.stack:     resq 1          ; rsp at the call, 16-byte aligned, at the seventh argument
.argument:  resq 6
.kept:      resq 6          ; patterns for rbx rbp r12 r13 r14 r15
.level:     resd 1          ; 0 SSE2, 1 AVX, 2 AVX-512F
.clean:     resd 1          ; 1: upper vector halves are clean at the call
.xinuse:    resd 1          ; 1: XGETBV with ecx = 1 works
.mxcsr:     resd 1
.fcw:       resd 1
.padding:   resd 1
.vectors:   resb 32 * 64    ; junk in, what the function left out
.rax:       resq 1          ; results from here on
.rsp:       resq 1
.kept_out:  resq 6
.flags:     resq 1
.mxcsr_out: resd 1
.fcw_out:   resd 1
.in_use:    resd 1          ; XCR0 & XINUSE after the call
endstruc

section .bss align=8
current:    resq 1
own_rsp:    resq 1
target:     resq 1
own_mxcsr:  resd 1
own_fcw:    resd 1

section .text
global checked_call_frame:function
checked_call_frame:
    db 0xf3, 0x0f, 0x1e, 0xfa                   ; endbr64
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov [current], rdi
    mov [own_rsp], rsp
    stmxcsr [own_mxcsr]
    fnstcw [own_fcw]

    cmp dword [rdi + frame.level], 1
    ja .load_zmm
    je .load_ymm
%assign i 0
%rep 16
    movdqu xmm %+ i, [rdi + frame.vectors + 64 * i]
%assign i i + 1
%endrep
    jmp .loaded
.load_ymm:
%assign i 0
%rep 16
    vmovdqu ymm %+ i, [rdi + frame.vectors + 64 * i]
%assign i i + 1
%endrep
    jmp .maybe_clean
.load_zmm:
%assign i 0
%rep 32
    vmovdqu64 zmm %+ i, [rdi + frame.vectors + 64 * i]
%assign i i + 1
%endrep
%assign i 0
%rep 8
    kmovw k %+ i, [rdi + frame.vectors + 2 * i + 4]
%assign i i + 1
%endrep
.maybe_clean:
    cmp dword [rdi + frame.clean], 0
    je .loaded
    vzeroupper

.loaded:
    ldmxcsr [rdi + frame.mxcsr]
    fldcw [rdi + frame.fcw]
    mov rsp, [rdi + frame.stack]
    mov r10, rdi
    mov rbx, [r10 + frame.kept]
    mov rbp, [r10 + frame.kept + 8]
    mov r12, [r10 + frame.kept + 16]
    mov r13, [r10 + frame.kept + 24]
    mov r14, [r10 + frame.kept + 32]
    mov r15, [r10 + frame.kept + 40]
    mov rdi, [r10 + frame.argument]
    mov rsi, [r10 + frame.argument + 8]
    mov rdx, [r10 + frame.argument + 16]
    mov rcx, [r10 + frame.argument + 24]
    mov r8, [r10 + frame.argument + 32]
    mov r9, [r10 + frame.argument + 40]
    mov r11, 0xb1b2b3b4b5b6b7b8
    mov rax, 0xa1a2a3a4a5a6a7a8
    mov r10, [r10 + frame.function]
    mov [target], r10
    mov r10, 0xc1c2c3c4c5c6c7c8
    stc
    call [target]

    push rax
    mov rax, [current]
    pop qword [rax + frame.rax]
    mov [rax + frame.rsp], rsp
    mov [rax + frame.kept_out], rbx
    mov [rax + frame.kept_out + 8], rbp
    mov [rax + frame.kept_out + 16], r12
    mov [rax + frame.kept_out + 24], r13
    mov [rax + frame.kept_out + 32], r14
    mov [rax + frame.kept_out + 40], r15
    mov rsp, [own_rsp]
    pushfq
    pop qword [rax + frame.flags]
    cld
    stmxcsr [rax + frame.mxcsr_out]
    fnstcw [rax + frame.fcw_out]
    ldmxcsr [own_mxcsr]
    fldcw [own_fcw]
    mov rdi, rax
    mov dword [rdi + frame.in_use], 0
    cmp dword [rdi + frame.xinuse], 0
    je .store
    mov ecx, 1
    xgetbv
    mov [rdi + frame.in_use], eax

.store:
    cmp dword [rdi + frame.level], 1
    ja .store_zmm
    je .store_ymm
%assign i 0
%rep 16
    movdqu [rdi + frame.vectors + 64 * i], xmm %+ i
%assign i i + 1
%endrep
    jmp .stored
.store_ymm:
%assign i 0
%rep 16
    vmovdqu [rdi + frame.vectors + 64 * i], ymm %+ i
%assign i i + 1
%endrep
    vzeroupper
    jmp .stored
.store_zmm:
%assign i 0
%rep 32
    vmovdqu64 [rdi + frame.vectors + 64 * i], zmm %+ i
%assign i i + 1
%endrep
    vzeroupper
.stored:
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret

; checked_call_dirty_upper, checked_call_clean_upper: what XCR0 & XINUSE are with an upper half in use and with none
;
;   uint32_t f(void);
;
; Out      eax
; Clobber  rcx rdx, ymm15; needs AVX and XGETBV with ecx = 1
global checked_call_dirty_upper:function
checked_call_dirty_upper:
    vpcmpeqd xmm15, xmm15, xmm15
    vinsertf128 ymm15, ymm15, xmm15, 1
    mov ecx, 1
    xgetbv
    vzeroupper
    ret

global checked_call_clean_upper:function
checked_call_clean_upper:
    vzeroupper
    mov ecx, 1
    xgetbv
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
