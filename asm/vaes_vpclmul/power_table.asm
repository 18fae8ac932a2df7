; vg_power_table_<variant>: powers of H and, with Karatsuba products, their halves
;
;   An inner function: a register contract of its own.
;
; In       POW, enc(H^1) at POW - 16, rcx=n, the number of powers wanted, at least 1
; Out      H^2..H^n at POW - 32, ...; n rounded up to a multiple of 4; rows of halves for the first POWERS of them
; Secret   table at POW
; Public   POW, n
; Needs    avx avx2 vpclmulqdq
; Clobber  rcx ymm0-ymm2 [T2] ACC_L ACC_M ACC_H T0 T1 H flags
; Stack    16 bytes
;
; Two vectors of two powers move on by H^4, so that neither waits for the other.

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"

%define HIGH ymm0                       ; H^i, H^(i-1)
%define LOW  ymm1                       ; H^(i-2), H^(i-3)
%define STEP ymm2

; The row of HIGH and LOW, if there is one, at r11.
%macro ROW 0
%if VG_VAES_KARATSUBA
        cmp r11, POW
        jb %%none
        vpunpcklqdq T0, HIGH, LOW
        vpunpckhqdq T1, HIGH, LOW
        vpxor T0, T0, T1
        vmovdqu [r11], T0
        sub r11, 32
%%none:
%endif
%endmacro

INNER NAME(power_table)
        push r10
        push r11
        vbroadcasti128 H, [POW - 16]
        vmovdqa T0, H
        PRODUCT T0, 1
        REDUCE256
        vpblendd LOW, ACC_H, H, 0xf0
        vmovdqu [POW - 32], LOW
        vmovdqa H, ACC_H
        vmovdqa T0, LOW
        PRODUCT T0, 1
        REDUCE256
        vmovdqa HIGH, ACC_H
        vpermq STEP, HIGH, 0x44
        lea r10, [POW - 64]
%if VG_VAES_KARATSUBA
        lea r11, [POW + 32 * ROWS - 32]
%endif
        jmp .store
.next:
        vmovdqa H, STEP
        PRODUCT LOW, 1
        REDUCE256
        vmovdqa LOW, ACC_H
        vmovdqu [r10 + 32], LOW
        PRODUCT HIGH, 1
        REDUCE256
        vmovdqa HIGH, ACC_H
.store:
        vmovdqu [r10], HIGH
        ROW
        sub r10, 64
        sub rcx, 4
        ja .next
        pop r11
        pop r10
        ret
