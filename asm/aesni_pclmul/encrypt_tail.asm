; vg_encrypt_tail_<variant>: encrypt the last 1 to 8 blocks of a text with their keystream, and hash them
;
;   An inner function: a register contract of its own.
;
; In       SRC=end of the text, up to whole blocks  C=blocks, 1 to 8  rcx=bytes that the last one lacks
;          TEXT=text of the last block  xmm1 to xmm8: as from vg_keystream
;          ACC=what comes before the blocks  TAIL_POW  TAIL_HALVES
; Out      DST=end of the text; ACC_H=the state behind the blocks
; Secret   text, xmm1 to xmm8, ACC, *TAIL_POW, *TAIL_HALVES
; Public   SRC, DST, C, rcx, TAIL_POW, TAIL_HALVES
; Needs    ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rcx rdx xmm1-xmm8 T0 T1 T2 ACC_L ACC_M ACC_H flags
; Stack    16 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"

extern NAME(store_partial)

%define MASK    T0                      ; for REVERSE

INNER NAME(encrypt_tail)
        LOADA MASK, [NAME(constants) + BYTE_REVERSE]
%assign n 1
%rep 7
        cmp C, n
        je .block_ %+ n
%assign n n + 1
%endrep
%rep 7
.block_ %+ n:
        XORTEXT xmm %+ n, [SRC - 16 * n], T1
        STOREU [DST - 16 * n], xmm %+ n
        SHUFB xmm %+ n, MASK
        MULADD_TAIL xmm %+ n, n
%assign n n - 1
%endrep
.block_1:
        XOR LAST, TEXT
        test ecx, ecx
        jnz .partial
        STOREU [DST - 16], LAST
.hash_last:
        SHUFB LAST, MASK
        MULADD_TAIL LAST, 1
        REDUCE
        ret

.partial:
        lea rdx, [NAME(constants) + KEEP]
        LOADU T0, [rdx + rcx]
        AND LAST, T0
        LOADA T0, LAST
        lea rdx, [DST - 16]
        neg ecx
        add ecx, 16
        call NAME(store_partial)
        LOADA MASK, [NAME(constants) + BYTE_REVERSE]
        jmp .hash_last
