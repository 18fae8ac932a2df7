; Constants of the 512-bit kernels; wide.inc has their offsets.

%include "abi.inc"
%include "layout512.inc"

section .rodata
global NAME(wide):data hidden
align 64
NAME(wide):
        times 4 db 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
        times 4 dq 1, 0xc200000000000000
        times 4 dd 4 * STRIDE, 0, 0, 0
        dd 0, 0, 0, (4 * STRIDE - 2) << 24, 0, 0, 0, (4 * STRIDE - 1) << 24, 0, 0, 0, 0, 0, 0, 0, 1 << 24
%assign i 2
%rep 4 * STRIDE
        dd 0, 0, 0, i << 24
%assign i i + 1
%endrep
%assign i 0
%rep 4 * STRIDE
        dd i, 0, 0, 0
%assign i i + 1
%endrep
