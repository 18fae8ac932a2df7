; vg_powers_<variant>: write H^2..H^VG_POWERS
;
;   void f(struct vg_aes_gcm *gcm);
;
; In       rdi=gcm, with H^1
; Out      *gcm
; Secret   *gcm: never in an address or a branch
; Public   pointers
; Needs    avx512f avx512vl vpclmulqdq
; Clobber  rax rcx zmm0-zmm2 zmm9-zmm14 flags; vector registers that held secrets are cleared
; Stack    16 bytes

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
