; vg_clear_lanes_<variant>: clear what held secrets, all lanes too, and return from an operation
;
;   An inner function: a register contract of its own.
;
; In       nothing
; Out      nothing
; Secret   all vector registers
; Public   nothing
; Needs    avx [avx512f avx512vl]
; Clobber  zmm0 zmm1 [zmm2-zmm7] zmm8-zmm16 zmm24 zmm26 zmm28-zmm31
; Stack    0 bytes
;
; vg_clear_message_<variant>: the same after a text of one vector, or none
;
;   An inner function: a register contract of its own.
;
; In       nothing
; Out      nothing
; Secret   all vector registers
; Public   nothing
; Needs    avx [avx512f avx512vl]
; Clobber  zmm0 zmm8-zmm16 zmm24 zmm26 zmm28-zmm31
; Stack    0 bytes

%include "abi.inc"
%include "layout512.inc"
%include "registers512.inc"

INNER NAME(clear_lanes)
        CLEAR_VECTORS 1, STRIDE - 1
        jmp NAME(clear_message)

INNER NAME(clear_message)
        CLEAR_VECTORS 0, 0
        CLEAR_VECTORS TEXT, TEXT
        CLEAR_VECTORS RK, ENDS
        CLEAR_VECTORS T3, T3
        CLEAR_VECTORS T4, T4
        CLEAR_VECTORS BASE, E0
        vzeroupper
        ret
