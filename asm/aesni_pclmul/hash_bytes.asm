; vg_hash_bytes_<variant>: continue a GHASH state over bytes, zeros behind the last block, with two powers
;
;   An inner function: a register contract of its own.
;
; In       POW, with two powers and their halves  rdx=data[n]  rcx=n bytes  ACC_H=state, byte-reversed
; Out      ACC_H=state
; Secret   *POW, data, state
; Public   POW, rdx, n
; Needs    ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rcx rdx T0 T1 T2 ACC_L ACC_M ACC_H flags
; Stack    8 bytes
;
; More powers would save reductions, and cost a product each: a short text does not pay for them.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"

extern NAME(load_partial)

INNER NAME(hash_bytes)
        sub rcx, 32
        jb .rest
.pair:
        LOADU T0, [rdx]
        REVERSE T0
        XOR T0, ACC_H
        MULTIPLY T0, 2
        LOADU T0, [rdx + 16]
        REVERSE T0
        MULADD T0, 1
        REDUCE
        add rdx, 32
        sub rcx, 32
        jae .pair
.rest:
        add ecx, 32
        jz .done
        cmp ecx, 16
        jb .partial
        LOADU T0, [rdx]
        REVERSE T0
        XOR T0, ACC_H
        sub ecx, 16
        jz .last
        MULTIPLY T0, 2
        add rdx, 16
        call NAME(load_partial)
        REVERSE T0
        MULADD T0, 1
        REDUCE
        ret
.partial:
        call NAME(load_partial)
        REVERSE T0
        XOR T0, ACC_H
.last:
        MULTIPLY T0, 1
        REDUCE
.done:
        ret
