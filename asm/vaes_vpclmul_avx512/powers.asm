; vg_powers_<variant>: write H^2..H^VG_POWERS
;
;   void f(struct vg_aes_gcm *gcm);
;
; In       rdi=gcm, with H^1
; Out      *gcm
; Secret   *gcm: never in an address or a branch
; Public   rdi
; Clobber  caller-saved registers, flags; vector registers that held secrets are cleared; no stack

%include "abi.inc"
%include "layout512.inc"
%include "registers512.inc"

extern NAME(power_table)

FUNCTION NAME(powers)
        lea POW, [rdi + GCM_POW]
        mov ecx, VG_POWERS
        call NAME(power_table)
        CLEAR_VECTORS 0, 2
        CLEAR_VECTORS T0, ACC_H
        vzeroupper
        ret
