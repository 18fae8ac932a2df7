; Constants of the 128-bit kernels; constants.inc has their offsets.

%include "abi.inc"

section .rodata
global NAME(constants):data hidden
align 64
NAME(constants):
        db 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
        dq 1, 0xc200000000000000
%assign i 0
%rep 9
        dd i, 0, 0, 0
%assign i i + 1
%endrep
%assign i 0
%rep 16
        dd 0, 0, 0, i << 24
%assign i i + 1
%endrep
        db 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        times 16 db 0x80
        times 16 db 0xff
        times 16 db 0
        times 4 db 13, 14, 15, 12
        times 4 db 12, 13, 14, 15
        times 4 dd 1
        times 4 dd 0x1b
        times 4 db 5, 6, 7, 4
