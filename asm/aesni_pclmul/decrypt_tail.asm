; vg_decrypt_tail_<variant>: hash the last 1 to 8 blocks of a ciphertext, and decrypt them in registers
;
;   An inner function: a register contract of its own.
;
; In       SRC=end of the text, up to whole blocks  C=blocks, 1 to 8  TEXT=text of the last block
;          xmm1 to xmm8: as from vg_keystream  ACC=what comes before the blocks  TAIL_POW  TAIL_HALVES
; Out      xmm1 to xmm8: plaintext, the last block's in xmm1; ACC_H=the state behind the blocks
; Secret   text, xmm1 to xmm8, ACC, *TAIL_POW, *TAIL_HALVES
; Public   SRC, C, TAIL_POW, TAIL_HALVES
; Needs    ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  xmm1-xmm8 TEXT T0 T1 T2 ACC_L ACC_M ACC_H flags
; Stack    0 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"

INNER NAME(decrypt_tail)
%assign n 1
%rep 7
        cmp C, n
        je .block_ %+ n
%assign n n + 1
%endrep
%rep 7
.block_ %+ n:
        LOADU T0, [SRC - 16 * n]
        XOR xmm %+ n, T0
        REVERSE T0
        MULADD_TAIL T0, n
%assign n n - 1
%endrep
.block_1:
        XOR LAST, TEXT
        REVERSE TEXT
        MULADD_TAIL TEXT, 1
        REDUCE
        ret

; vg_store_tail_<variant>: store them
;
;   An inner function: a register contract of its own.
;
; In       C=blocks, 1 to 8  rcx=bytes that the last one lacks  xmm1 to xmm8: as from vg_decrypt_tail
; Out      DST=end of the text, up to whole blocks
; Secret   xmm1 to xmm8
; Public   DST, C, rcx
; Needs    ssse3, and avx in VEX encoding
; Clobber  rcx rdx T0 T1 flags
; Stack    8 bytes

extern NAME(store_partial)

INNER NAME(store_tail)
%assign n 1
%rep 7
        cmp C, n
        je .block_ %+ n
%assign n n + 1
%endrep
%rep 7
.block_ %+ n:
        STOREU [DST - 16 * n], xmm %+ n
%assign n n - 1
%endrep
.block_1:
        test ecx, ecx
        jnz .partial
        STOREU [DST - 16], LAST
        ret
.partial:
        LOADA T0, LAST
        lea rdx, [DST - 16]
        neg ecx
        add ecx, 16
        jmp NAME(store_partial)
