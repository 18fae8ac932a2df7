; vg_hash_aad_<variant>: begin the GHASH of a message with its AAD
;
;   An inner function: a register contract of its own.
;
; In       POW  rdx=aad[aad_len]  rcx=aad_len, at least 1  C=blocks of text  [rsp+8]=aad_len  [rsp+24]=len
; Out      C <= 8: ACC=the product of the hash of the AAD and the power that what follows leaves for it, and of the
;          length block as from vg_sum_lengths; else ACC_H=the hash of the AAD
; Secret   *POW, aad
; Public   POW, rdx, aad_len, C
; Needs    ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rcx rdx T0 T1 T2 ACC_L ACC_M ACC_H flags
; Stack    24 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "message128.inc"

extern NAME(hash_blocks)
extern NAME(load_partial)

; What callers of these leave on the stack.
%define AAD_LEN [rsp + 8]
%define LEN     [rsp + 24]

INNER NAME(hash_aad)
        cmp rcx, 16
        ja .blocks
        je .whole
        call NAME(load_partial)
        REVERSE T0
.last:                                  ; T0 = the last block, all before it included
        cmp C, 7 + LENGTH_IN_SUM
        ja .alone
        lea I, [C + C + 2 + 2 * LENGTH_IN_SUM]
        neg I
        MULTIPLY_AT_I
%if LENGTH_IN_SUM
        jmp NAME(sum_lengths)
%else
        ret
%endif

.whole:
        LOADU T0, [rdx]
        REVERSE T0
        jmp .last

.blocks:
        push rcx
        dec rcx
        shr rcx, 4
        ZERO ACC_H
        call NAME(hash_blocks)
        pop rcx
        dec ecx
        and ecx, 15
        inc ecx
        cmp ecx, 16
        je .last_whole
        call NAME(load_partial)
        jmp .last_loaded
.last_whole:
        LOADU T0, [rdx]
.last_loaded:
        REVERSE T0
        XOR T0, ACC_H
        jmp .last

.alone:
        mov I, -2
        MULTIPLY_AT_I
        REDUCE
%if !LENGTH_IN_SUM
        cmp C, 8
        ja .done
        jmp NAME(sum_state)
.done:
%endif
        ret

; vg_sum_state_<variant>: the product of a state and the power that the last blocks of a message leave for it, and what
; vg_sum_lengths takes into a sum
;
;   An inner function: a register contract of its own.
;
; In       POW  ACC_H=state, byte-reversed  C=blocks, 1 to 8  [rsp+8]=aad_len  [rsp+24]=len
; Out      ACC
; Secret   *POW, state
; Public   POW, C, lengths
; Needs    pclmulqdq, and avx in VEX encoding
; Clobber  rcx T0 T1 [T2] ACC_L ACC_M ACC_H flags
; Stack    0 bytes
INNER NAME(sum_state)
        LOADA T0, ACC_H
        lea I, [C + C + 2 * LENGTH_IN_SUM]
        neg I
        MULTIPLY_AT_I
%if LENGTH_IN_SUM
        jmp NAME(sum_lengths)
%else
        ret
%endif

; vg_sum_lengths_<variant>: take the length block into a sum
;
;   An inner function: a register contract of its own.
;
; In       POW  ACC  [rsp+8]=aad_len  [rsp+24]=len
; Out      ACC
; Secret   *POW, ACC
; Public   POW, lengths
; Needs    pclmulqdq, and avx in VEX encoding
; Clobber  T0 T1 T2 ACC_L ACC_M ACC_H
; Stack    0 bytes
%if LENGTH_IN_SUM
INNER NAME(sum_lengths)
        LENGTH_BLOCK
        MULADD T0, 1
        ret
%endif
