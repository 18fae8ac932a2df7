; vg_ghash_<variant>_<form>: continue a GHASH state over whole blocks
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t y[16], const uint8_t *data, size_t n);
;
; In       rdi=gcm  rsi=y[16]  rdx=data[16*n]  rcx=n, at least 1
; Out      y continued over the data
; Secret   *gcm, *y, data: never in an address or a branch
; Public   pointers, n
; Needs    ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rax rcx rdx rdi xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE_BYTES + 48 bytes, prepared 16 bytes; the table is cleared

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "message128.inc"

extern NAME(clear_secrets)
extern NAME(power_table)
extern NAME(hash_blocks)

%if !VG_CONTEXT_BASE
FUNCTION NAME(ghash) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp ghash
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(ghash) %+ _base
        TABLE_BEGIN
        mov rdi, rsi
        mov esi, 8
        cmp rcx, 8
        cmovb esi, ecx
        call NAME(power_table)
        mov rsi, rdi
        call ghash
        TABLE_END
        ret
%endif

ghash:
        LOADU ACC_H, [rsi]
        REVERSE ACC_H
        call NAME(hash_blocks)
        REVERSE ACC_H
        STOREU [rsi], ACC_H
%if VG_WIPE
        jmp NAME(clear_secrets)
%else
        ret
%endif
