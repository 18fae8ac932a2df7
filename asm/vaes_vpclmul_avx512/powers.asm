; vg_powers_<variant>: write H^2..H^VG_POWERS
;
;   void f(struct vg_aes_gcm *gcm);
;
; In       rdi=gcm, with H^1
; Out      *gcm
; Secret   *gcm: never in an address or a branch
; Public   pointers
; Needs    avx512f [avx512vl] vpclmulqdq
; Clobber  rax rcx zmm0 zmm8-zmm16 zmm24 zmm26 zmm28-zmm31 flags; vector registers that held secrets are cleared
; Stack    24 bytes

%include "abi.inc"
%include "layout512.inc"
%include "registers512.inc"

extern NAME(power_table)
extern NAME(clear_message)

FUNCTION NAME(powers)
        lea POW, [rdi + GCM_POW]
        mov ecx, VG_POWERS
        call NAME(power_table)
        jmp NAME(clear_message)
