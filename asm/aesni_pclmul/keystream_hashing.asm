; vg_keystream_hashing_<variant>: what vg_keystream_rounds does, and the hash of the 8 blocks before
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  FIRST  xmm0 to xmm8: counter blocks, whitened  POW  ACC_H=state, byte-reversed  DST
; Out      xmm0 to xmm8: keystream; ACC_H=state
; Secret   *LAST_KEY, *POW, state, xmm0 to xmm8
; Public   LAST_KEY, FIRST, POW, DST
; Needs    aes ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rcx FIRST xmm0-xmm15 flags
; Stack    0 bytes
;
; The blocks end at DST. Their hashing takes about the time of the rounds on 9 lanes, so that fewer would save nothing.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"

INNER NAME(keystream_hashing)
        mov I, -16
        LOADU T0, [DST + 8*I]
        REVERSE T0
        XOR T0, ACC_H
        ACC_ZERO
.rounds_2:
        ROUND 9, [LAST_KEY + FIRST]
        MULADD_AT_I 0
        LOADU T0, [DST + 8*I + 16]
        REVERSE T0
        ROUND 9, [LAST_KEY + FIRST + 16]
        add FIRST, 32
        MULADD_AT_I 1
        add I, 4
        jz .hashed
        LOADU T0, [DST + 8*I]
        REVERSE T0
        jmp .rounds_2
.hashed:
        REDUCE
.more:
        ROUND 9, [LAST_KEY + FIRST]
        add FIRST, 16
        jnz .more
        LAST_ROUND 9
        ret
