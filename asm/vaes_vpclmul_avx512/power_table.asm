; vg_power_table_<variant>: powers of H
;
;   An inner function: a register contract of its own.
;
; In       POW, with enc(H^1) at POW - 16  rcx=n, at least 1
; Out      H^2..H^n at POW - 32, ...; n rounded up to the next multiple of 4
; Secret   the table
; Public   POW, n
; Needs    avx512f vpclmulqdq
; Clobber  rcx z(RK) z(T0) z(T1) z(T2) z(ACC_L) z(ACC_M) z(ACC_H) z(ENDS) flags
; Stack    16 bytes
;
; vg_message_powers_<variant>: as many as a message wants
;
;   An inner function: a register contract of its own.
;
; In       POW, with enc(H^1) at POW - 16  LEN  rcx=aad_len
; Out      the table; WIDE_POWERS powers at most
; Secret   the table
; Public   POW, LEN, aad_len
; Needs    avx512f vpclmulqdq
; Clobber  z(RK) z(T0) z(T1) z(T2) z(ACC_L) z(ACC_M) z(ACC_H) z(ENDS) flags; rcx stays
; Stack    32 bytes

%include "abi.inc"
%include "layout512.inc"
%include "registers512.inc"

extern NAME(multiply)

%define STEP    T0
%define OLDER   RK                      ; the last two vectors of powers: two chains of products
%define NEWER   ENDS

; The next vector of powers, OLDER * STEP, to memory.
%macro ADVANCE 0
        sub ecx, 4
        jle .done
        vmovdqa64 z(ACC_H), z(OLDER)
        call NAME(multiply)
        vmovdqa64 z(OLDER), z(NEWER)
        vmovdqa64 z(NEWER), z(ACC_H)
        sub POW, 64
        vmovdqu64 [POW], z(NEWER)
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
        pop rcx
        ret
%endif

INNER NAME(power_table)
        push POW
        vmovdqu x(STEP), [POW - 16]
        vmovdqa x(ACC_H), x(STEP)
        call NAME(multiply)
        vinserti128 y(OLDER), y(ACC_H), x(STEP), 1
        vinserti128 y(STEP), y(ACC_H), x(ACC_H), 1
        vmovdqa y(ACC_H), y(OLDER)
        call NAME(multiply)
        vinserti64x4 z(OLDER), z(ACC_H), y(OLDER), 1
        vmovdqa64 z(NEWER), z(OLDER)
        sub POW, 64
        vmovdqu64 [POW], z(NEWER)
        vshufi64x2 z(STEP), z(NEWER), z(NEWER), 0
        ADVANCE
        vshufi64x2 z(STEP), z(NEWER), z(NEWER), 0
.next:
        ADVANCE
        jmp .next
.done:
        pop POW
        ret
