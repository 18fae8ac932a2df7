; vg_powers_<variant>: write H^2..H^VG_POWERS and the halves of the lowest
;
;   void f(struct vg_aes_gcm *gcm);
;
; In       rdi=gcm, with H^1
; Out      *gcm
; Secret   *gcm: never in an address or a branch
; Public   pointers
; Needs    pclmulqdq, and avx in VEX encoding
; Clobber  rax rsi xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    40 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"

extern NAME(clear_secrets)
extern NAME(power_table)

FUNCTION NAME(powers)
        lea POW, [rdi + GCM_POW]
        mov esi, VG_POWERS
        call NAME(power_table)
%if VG_WIPE
        jmp NAME(clear_secrets)
%else
        ret
%endif
