; vg_multiply_<variant>: products in GF(2^128), each lane for itself
;
;   An inner function: a register contract of its own.
;
; In       z(ACC_H)  z(T0)=powers
; Out      z(ACC_H) times z(T0), reduced
; Secret   ACC_H, T0
; Public   nothing
; Needs    avx512f vpclmulqdq
; Clobber  z(T1) z(T2) z(ACC_L) z(ACC_M) z(ACC_H)
; Stack    0 bytes
;
; vg_multiply_h_<variant>: a state times H
;
;   An inner function: a register contract of its own.
;
; In       x(ACC_H)=state  POW
; Out      x(ACC_H)=state, zeros above
; Secret   ACC_H, table at POW
; Public   POW
; Needs    avx512f vpclmulqdq
; Clobber  z(T0) z(T1) z(T2) z(ACC_L) z(ACC_M) z(ACC_H)
; Stack    0 bytes

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"

INNER NAME(multiply_h)
        vmovdqu x(T0), [POW - 16]
        jmp NAME(multiply)

INNER NAME(multiply)
        MULTIPLY z(ACC_H), z(T0), z
        REDUCE z
        ret
