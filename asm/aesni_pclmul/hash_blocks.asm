; vg_hash_blocks_<variant>: continue a GHASH state over whole blocks
;
;   An inner function: a register contract of its own.
;
; In       POW  rdx=data[16*n]  rcx=n, at least 1  ACC_H=state, byte-reversed
; Out      ACC_H=state; rdx past the data
; Secret   *POW, data, state
; Public   POW, rdx, n
; Needs    ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rcx rdx T0 T1 T2 ACC_L ACC_M ACC_H flags
; Stack    8 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"

; Groups of at most 8 blocks, the odd one first: H^8..H^1, one reduction each.
INNER NAME(hash_blocks)
        push rsi
        mov rsi, rcx
        lea ecx, [rsi - 1]
        and ecx, 7
        inc ecx
        sub rsi, rcx
.group:
        add ecx, ecx
        neg I
        LOADU T0, [rdx]
        REVERSE T0
        XOR T0, ACC_H
        ACC_ZERO
.block:
        add rdx, 16
        MULADD_ANY_AT_I
        add I, 2
        jz .reduce
        LOADU T0, [rdx]
        REVERSE T0
        jmp .block
.reduce:
        REDUCE
        mov ecx, 8
        sub rsi, 8
        jae .group
        pop rsi
        ret
