; vg_hash_aad_<variant>: begin the GHASH of a message with its AAD
;
;   An inner function: a register contract of its own.
;
; In       POW  rdx=aad[aad_len]  rcx=aad_len, at least 1  C=blocks of text
; Out      C <= 8 and enough powers: in ACC the product of the last block of the AAD, and all before it, with the power
;          that text and length block leave for it; else in ACC_H the hash of the AAD
; Secret   table at POW, aad
; Public   POW, rdx, aad_len, C
; Needs    ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rbx rcx rdx I T0 T1 HALF ACC_L ACC_M ACC_H flags
; Stack    8 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"

extern NAME(hash_blocks)
extern NAME(load_partial)

INNER NAME(hash_aad)
        ACC_ZERO
        cmp rcx, 16
        jbe .last
        mov rbx, rcx
        dec rcx
        shr rcx, 4
        call NAME(hash_blocks)
        lea ecx, [rbx - 1]
        and ecx, 15
        inc ecx
.last:
        cmp ecx, 16
        je .whole
        call NAME(load_partial)
        jmp .loaded
.whole:
        LOADU T0, [rdx]
.loaded:
        REVERSE T0
        XOR T0, ACC_H
        ACC_ZERO
        mov I, -2
%if POWERS_USED >= 10
        cmp C, 8
        ja .alone
        lea I, [C + C + 4]
        neg I
        MULADD_NEXT
        ret
.alone:
%endif
        MULADD_NEXT
        REDUCE
        ret
