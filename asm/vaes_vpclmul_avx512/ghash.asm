; vg_ghash_<variant>_<form>: continue a GHASH state over whole blocks
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t y[16], const uint8_t *data, size_t n);
;
; In       rdi=gcm  rsi=y[16]  rdx=data[16*n]  rcx=n, at least 1
; Out      y continued over the data
; Secret   *gcm, *y, data: never in an address or a branch
; Public   pointers, n
; Needs    avx2 avx512f avx512bw avx512vl vpclmulqdq
; Clobber  rax rcx rdx rsi rdi [r11] zmm0 zmm8-zmm16 zmm20-zmm26 zmm28-zmm31 k1 k3 flags; vector registers that held secrets are cleared
; Stack    base 16 * WIDE_POWERS + 280 bytes, prepared 24 bytes; the table is cleared

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"
%include "message512.inc"

extern NAME(hash_blocks)
extern NAME(clear_message)
%if !VG_CONTEXT_PREPARED
extern NAME(power_table)
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(ghash) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp ghash
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(ghash) %+ _base
        TABLE_BEGIN
        BLOCKS_POWERS
        call NAME(power_table)
        mov rcx, [rbp - 8]
        call ghash
        TABLE_END
%endif

ghash:
        mov rdi, rsi
        vmovdqa64 z(REV), [NAME(wide) + WIDE_REVERSE]
        vmovdqu x(ACC_H), [rdi]
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        call NAME(hash_blocks)
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        vmovdqu [rdi], x(ACC_H)
        CLEAR_VECTORS 20, 23
        jmp NAME(clear_message)
