; vg_encrypt_blocks_to_<variant>_<form>: encrypt whole blocks, and hash the ciphertext
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t counter[16], uint8_t y[16], const uint8_t *src, uint8_t *dst, size_t n);
;
; In       rdi=gcm  rsi=counter[16]  rdx=y[16]  rcx=src[16*n]  r9=n, at least 1
; Out      r8=dst[16*n]; counter advanced by n (low 32 bits, big-endian, wraps); y continued over the ciphertext
; Overlap  dst == src, or disjoint
; Secret   *gcm, *counter, *y, src, dst: never in an address or a branch
; Public   pointers, n
; Needs    aes ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rax rcx rsi rdi r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE_BYTES + 56 bytes, prepared 40 bytes; the table is cleared
;
; Groups as in a message while more than 16 blocks are left, then up to 8 blocks at a time.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"
%include "message128.inc"
%include "blocks128.inc"

extern NAME(power_table)
extern NAME(ctr_blocks)
extern NAME(groups)
extern NAME(hash_blocks)


%if !VG_CONTEXT_BASE
FUNCTION NAME(encrypt_blocks_to) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp encrypt_blocks
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(encrypt_blocks_to) %+ _base
        TABLE_BEGIN
        mov r10, rsi
        mov esi, 8
        cmp r9, 8
        cmovb esi, r9d
        call NAME(power_table)
        mov rsi, r10
        call encrypt_blocks
        TABLE_END
        ret
%endif

encrypt_blocks:
        push rbx
        push LAG
        push rdx
        BLOCKS_BEGIN
.next:
        cmp C, 16
        ja .groups
        mov edx, 8
        cmp C, rdx
        cmovb edx, r10d
        call NAME(ctr_blocks)
        sub C, rdx
        mov ecx, edx
        shl edx, 4
        neg rdx
        add rdx, DST
.hash:
        LOADA xmm8, NUMBER
        call NAME(hash_blocks)
        LOADA NUMBER, xmm8
        test C, C
        jnz .next
        pop rdx
        BLOCKS_END
        pop LAG
        pop rbx
        ret

.groups:
        mov edx, 8
        call NAME(ctr_blocks)
        sub C, rdx
        mov CTR, 1                      ; counters from NUMBER
        lea LAG, [DST - 128]
        sub LAG, SRC
        call NAME(groups)
        lea rdx, [DST - 128]
        mov ecx, 8
        jmp .hash
