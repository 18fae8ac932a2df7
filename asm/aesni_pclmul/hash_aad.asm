; vg_hash_aad_<variant>: begin the GHASH of a message with its AAD
;
;   An inner function: a register contract of its own.
;
; In       POW  rdx=aad[aad_len]  rcx=aad_len, at least 1  C=blocks of text
; Out      C <= 8: in ACC the product of the hash of the AAD and the power that what follows leaves for it; else in ACC_H
;          the hash of the AAD
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
        ret

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
        STATE_BEFORE_TAIL LENGTH_IN_SUM
.done:
%endif
        ret
