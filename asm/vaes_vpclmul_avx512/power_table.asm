; vg_power_table_<variant>: powers of H
;
;   An inner function: a register contract of its own.
;
; In       POW, with enc(H^1) at POW - 16  rcx=n, at least 1
; Out      H^2..H^n at POW - 32, ...; n rounded up to the next multiple of 4
; Secret   the table
; Public   POW, n
; Needs    avx512f avx512vl vpclmulqdq
; Clobber  rcx zmm0-zmm2 z(T0) z(T1) z(T2) z(ACC_L) z(ACC_M) z(ACC_H) flags
; Stack    8 bytes
;
; vg_message_powers_<variant>: as many as a message wants
;
;   An inner function: a register contract of its own.
;
; In       POW, with enc(H^1) at POW - 16  LEN  rcx=aad_len
; Out      the table; WIDE_POWERS powers at most
; Secret   the table
; Public   POW, LEN, aad_len
; Needs    avx512f avx512vl vpclmulqdq
; Clobber  zmm0-zmm2 z(T0) z(T1) z(T2) z(ACC_L) z(ACC_M) z(ACC_H) flags; rcx stays
; Stack    24 bytes

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"

%define ODD     0                       ; the two chains of vectors of powers
%define EVEN    1
%define STEP    2

; vector %1 *= STEP, and to memory
%macro ADVANCE 1
        sub ecx, 4
        jle .done
        MULTIPLY z(%1), z(STEP), z
        REDUCE z
        vmovdqa64 z(%1), z(ACC_H)
        sub POW, 64
        vmovdqu64 [POW], z(%1)
%endmacro

%if !VG_CONTEXT_PREPARED
INNER NAME(message_powers)
        push rcx
        cmp rcx, 16
        mov ecx, WIDE_POWERS
        ja .all
        push rax
        lea rax, [LEN + 16 * 2 + 15]
        shr rax, 4
        cmp rax, rcx
        cmovb ecx, eax
        pop rax
.all:
        call NAME(power_table)
        CLEAR_VECTORS 0, 2
        pop rcx
        ret
%endif

INNER NAME(power_table)
        push POW
        vmovdqu x(T0), [POW - 16]
        MULTIPLY x(T0), x(T0), x
        REDUCE x
        vinserti128 y(ODD), y(ACC_H), x(T0), 1
        vinserti128 y(STEP), y(ACC_H), x(ACC_H), 1
        MULTIPLY y(ODD), y(STEP), y
        REDUCE y
        vinserti64x4 z(ODD), z(ACC_H), y(ODD), 1
        sub POW, 64
        vmovdqu64 [POW], z(ODD)
        vshufi64x2 z(STEP), z(ODD), z(ODD), 0
        vmovdqa64 z(EVEN), z(ODD)
        ADVANCE EVEN
        vshufi64x2 z(STEP), z(EVEN), z(EVEN), 0
.next:
        ADVANCE ODD
        ADVANCE EVEN
        jmp .next
.done:
        pop POW
        ret
