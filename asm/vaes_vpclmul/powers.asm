; vg_powers_<variant>: write H^2..H^VG_POWERS and, with Karatsuba products, the halves of the lowest
;
;   void f(struct vg_aes_gcm *gcm);
;
; In       rdi=gcm, with H^1
; Out      *gcm
; Secret   *gcm: never in an address or a branch
; Public   pointers
; Needs    avx avx2 vpclmulqdq
; Clobber  rax rcx ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    24 bytes

%include "abi.inc"
%include "layout.inc"
%include "registers256.inc"

extern NAME(power_table)

FUNCTION NAME(powers)
        lea POW, [rdi + GCM_POW]
        mov ecx, VG_POWERS
        call NAME(power_table)
        CLEAR_SECRETS
        ret
