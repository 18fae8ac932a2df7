; vg_ghash_<variant>_<form>: continue a GHASH state over whole blocks
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t y[16], const uint8_t *data, size_t n);
;
; In       rdi=gcm  rsi=y[16]  rdx=data[16*n]  rcx=n, at least 1
; Out      y continued over the data
; Secret   *gcm, *y, data: never in an address or a branch
; Public   pointers, n
; Needs    avx avx2 vpclmulqdq
; Clobber  rax rcx rdx ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE256_BYTES + 80 bytes, prepared 16 bytes; the table is cleared

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "blocks256.inc"

extern NAME(power_table)
extern NAME(hash_blocks)

%if !VG_CONTEXT_BASE
FUNCTION NAME(ghash) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp ghash
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(ghash) %+ _base
        BLOCKS_TABLE rcx, ghash
%endif

align 32
ghash:
        vmovdqu xmm15, [rsi]
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        call NAME(hash_blocks)
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        vmovdqu [rsi], xmm15
        CLEAR_SECRETS
        ret
