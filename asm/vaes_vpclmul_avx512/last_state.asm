; vg_last_state_<variant>: begin the hash of the last vectors of a text
;
;   An inner function: a register contract of its own.
;
; In       POW  x(ACC_H)=state  ENDS, with the length block  LEN, at least 1
; Out      in ACC the product of both with their powers; AT: the powers of the text begin at POW + AT - 32. Where there is
;          no power for the length block, it is at NUMS, and they begin one power later
; Secret   table at POW, state
; Public   POW, LEN
; Needs    avx512f avx512vl vpclmulqdq
; Clobber  AT z(T0) z(T1) z(T2) z(ACC_L) z(ACC_M) z(ACC_H) z(ENDS) [z(NUMS)] flags
; Stack    0 bytes

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"
%include "message512.inc"

INNER NAME(last_state)
        STATE_TO_ENDS
        lea AT, [LEN - 1]
        and AT, 64 * STRIDE - 16
        neg AT
%if LENGTH_ALONE
        cmp AT, 16 - 64 * STRIDE
        jne .together
        vextracti32x4 x(NUMS), y(ENDS), 1
        vmovdqa x(ENDS), x(ENDS)
        add AT, 16
.together:
%endif
        MULTIPLY_ENDS [POW + AT - 32]
        ret
