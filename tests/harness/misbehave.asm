; misbehave_*: functions that break one rule of the calling convention each, for test_harness.c
;
;   void f(uint64_t, ... eight in all);

bits 64
section .text

%macro function 1
global misbehave_%1:function
misbehave_%1:
    db 0xf3, 0x0f, 0x1e, 0xfa                   ; endbr64
%endmacro

function not
    mov [rsp + 8], rax                          ; a stack argument is the function's own
    xor eax, eax
    ret

%macro spoil 1
function %1
    inc %1
    ret
%endmacro
    spoil rbx
    spoil rbp
    spoil r12
    spoil r13
    spoil r14
    spoil r15

function rsp
    pop rax
    push rax
    push rax
    ret

function direction
    std
    ret

function mxcsr
    push rax
    stmxcsr [rsp]
    xor dword [rsp], 0x2000
    ldmxcsr [rsp]
    pop rax
    ret

function fcw
    push rax
    fnstcw [rsp]
    xor word [rsp], 0x100
    fldcw [rsp]
    pop rax
    ret

function above
    inc byte [rsp + 8 + 16]                     ; the byte after two stack arguments
    ret

function upper
    vpcmpeqd xmm0, xmm0, xmm0
    vinsertf128 ymm0, ymm0, xmm0, 1
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
