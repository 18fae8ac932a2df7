; Constants of the 256-bit kernels beside those of the 128-bit kernels; wide256.inc has their offsets.

%include "abi.inc"
%include "layout256.inc"

section .rodata
global NAME(wide):data hidden
align 64
NAME(wide):
        times 2 db 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
        times 2 dq 1, 0xc200000000000000
        times 16 db 0x80
        db 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        times 16 db 0x80
        db 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
%assign i 0
%rep 16
        dd i, 0, 0, 0
%assign i i + 1
%endrep
        times 2 dd 2 * VECTORS, 0, 0, 0
