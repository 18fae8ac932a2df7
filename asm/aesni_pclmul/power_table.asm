; vg_power_table_<variant>: powers of H and their halves
;
;   An inner function: a register contract of its own.
;
; In       POW, with enc(H^1) at POW - 16  rcx=n, the number of powers wanted, 1..VG_POWERS or POWERS_USED
; Out      H^2..H^n at POW - 32, ...; n rounded up to the next even number; halves of the first POWERS_USED of them
; Secret   the table
; Public   POW, n
; Needs    pclmulqdq, and avx in VEX encoding
; Clobber  rcx I xmm0-xmm5 ACC_L ACC_M ACC_H T0 flags
; Stack    0 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"

%define STEP      xmm4                  ; enc(H^2), by which both move on
%define STEP_HALF xmm5

; %1 = %1 * STEP
%macro ADVANCE 1
        LOADA T0, %1
        SHUFD ACC_M, T0, 0x4e
        XOR ACC_M, T0
        MUL ACC_M, STEP_HALF, 0x00
        MULTO ACC_L, T0, STEP, 0x00
        MULTO ACC_H, T0, STEP, 0x11
        REDUCE
        LOADA %1, ACC_H
%endmacro

; xmm3 = the halves of xmm1 (low) and xmm0 (high): one row of the table
%macro PAIR_OF_HALVES 0
        LOADA xmm3, xmm1
        UNPACKQ xmm3, xmm0
        LOADA xmm2, xmm1
        UNPACKHQ xmm2, xmm0
        XOR xmm3, xmm2
%endmacro

INNER NAME(power_table)
        LOADA xmm0, [POW - 16]
        SHUFD STEP_HALF, xmm0, 0x4e
        XOR STEP_HALF, xmm0
        LOADA STEP, xmm0
        LOADA xmm1, xmm0
        ADVANCE xmm1
        LOADA STEP, xmm1
        SHUFD STEP_HALF, STEP, 0x4e
        XOR STEP_HALF, STEP
        mov I, -4                       ; of the higher power of the pair
.pair:
        STOREA [POW + 8*I], xmm1
        cmp I, -2 * POWERS_USED
        jl .no_halves
        PAIR_OF_HALVES
        STOREA [POW + HALVES + 4*I], xmm3
.no_halves:
        sub rcx, 2
        jle .done
        ADVANCE xmm0
        ADVANCE xmm1
        STOREA [POW + 8*I - 16], xmm0
        sub I, 4
        jmp .pair
.done:
        ret
