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
        lea esi, [rcx - 1]
        and esi, 7
        inc esi
        sub rcx, rsi
        shl esi, 4
.group:
        LOADU T0, [rdx]
        add rdx, rsi
        REVERSE T0
        XOR T0, ACC_H
        ACC_ZERO
%assign power 1
%rep 7
        cmp esi, 16 * power
        je .power_ %+ power
%assign power power + 1
%endrep
%rep 8
.power_ %+ power:
        MULADD T0, power
%assign power power - 1
        %if power
        LOADU T0, [rdx - 16 * power]
        REVERSE T0
        %endif
%endrep
        REDUCE
        mov esi, 128
        sub rcx, 8
        jae .group
        pop rsi
        ret
