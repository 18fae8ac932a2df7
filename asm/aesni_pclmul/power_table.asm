; vg_power_table_<variant>: powers of H and their halves
;
;   An inner function: a register contract of its own.
;
; In       POW, with enc(H^1) at POW - 16  rsi=n, the number of powers wanted, 1..VG_POWERS or POWERS_USED
; Out      H^2..H^n at POW - 32, ...; n rounded up to the next even number; halves of the first POWERS_USED of them
; Secret   *POW
; Public   POW, n
; Needs    pclmulqdq, and avx in VEX encoding
; Clobber  rsi xmm9 ACC_L ACC_M ACC_H T0 T1 T2 flags
; Stack    32 bytes
;
; H^(m+1)..H^2m are H^m times H^1..H^m, for m = 2, 4, 8...: products that do not wait for each other.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"

; In units of 8 bytes down from POW, as I is elsewhere.
%define TO      rbx                     ; the higher power of the pair under way
%define FROM    rcx                     ; what it comes from
%define STEP    rdx                     ; H^m
%define WANTED  rsi

%define ODD     xmm9                    ; the lower power of a pair
%define STEP_HALF T2

; A row of halves, from ODD and ACC_H.
%macro STORE_HALVES 0
        LOADA T0, ACC_H
        UNPACKQ T0, ODD
        UNPACKHQ ACC_H, ODD
        XOR T0, ACC_H
        STOREA [POW + HALVES + 4*TO], T0
%endmacro

INNER NAME(power_table)
        push rbx
        push rcx
        push rdx
        add esi, esi
        neg WANTED
        mov TO, -4
        mov STEP, -2
        LOADA ODD, [POW - 16]
        HALF_SUM ODD
        LOADA STEP_HALF, T1
        LOADA T0, ODD
        call multiply_by_step
        STOREA [POW - 32], ACC_H
        STORE_HALVES
.next_step:
        cmp TO, WANTED
        jle .done
        mov STEP, TO
        xor ecx, ecx
        LOADA T0, [POW + 8*STEP]
        HALF_SUM T0
        LOADA STEP_HALF, T1
.pair:
        sub TO, 4
        sub FROM, 4
        LOADA T0, [POW + 8*FROM + 16]
        call multiply_by_step
        STOREA [POW + 8*TO + 16], ACC_H
        LOADA ODD, ACC_H
        LOADA T0, [POW + 8*FROM]
        call multiply_by_step
        STOREA [POW + 8*TO], ACC_H
        cmp TO, -2 * POWERS_USED
        jl .no_halves
        STORE_HALVES
.no_halves:
        cmp TO, WANTED
        jle .done
        cmp FROM, STEP
        jne .pair
        jmp .next_step
.done:
        pop rdx
        pop rcx
        pop rbx
        ret

; ACC_H = T0 * H^m
multiply_by_step:
        SHUFD ACC_M, T0, 0x4e
        XOR ACC_M, T0
        MUL ACC_M, STEP_HALF, 0x00
        MULTO ACC_L, T0, [POW + 8*STEP], 0x00
        MULTO ACC_H, T0, [POW + 8*STEP], 0x11
        REDUCE
        ret
