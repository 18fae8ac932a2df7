; vg_clear_secrets_<variant>: clear all vector registers
;
;   An inner function: a register contract of its own.
;
; In       what registers hold
; Out      xmm0 to xmm15 are 0
; Secret   xmm0 to xmm15
; Public   none
; Needs    none, and avx in VEX encoding
; Clobber  xmm0-xmm15
; Stack    0 bytes
;
; With VG_WIPE, kernels that are no whole message end with a jump to it.

%include "abi.inc"
%include "encoding.inc"
%include "registers128.inc"

INNER NAME(clear_secrets)
        CLEAR_SECRETS
        ret
