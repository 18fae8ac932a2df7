; vg_encrypt_blocks_to_<variant>_<form>: encrypt whole blocks, and hash the ciphertext
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t counter[16], uint8_t y[16], const uint8_t *src, uint8_t *dst, size_t n);
;
; In       rdi=gcm  rsi=counter[16]  rdx=y[16]  rcx=src[16*n]  r9=n, at least 1
; Out      r8=dst[16*n]; counter advanced by n (low 32 bits, big-endian, wraps); y continued over the ciphertext
; Overlap  dst == src, or disjoint
; Secret   *gcm, *counter, *y, src, dst: never in an address or a branch
; Public   pointers, n
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  rax rcx rsi rdi r8-r11 zmm0-zmm31 k1 k3 flags; vector registers that held secrets are cleared
; Stack    base 16 * WIDE_POWERS + 288 bytes, prepared 32 bytes; the table is cleared

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"
%include "lanes512.inc"
%include "stitched512.inc"
%include "blocks512.inc"
%include "message512.inc"

extern NAME(hash_blocks)
extern NAME(group)
extern NAME(group_text)
%if !VG_CONTEXT_PREPARED
extern NAME(power_table)
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(encrypt_blocks_to) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp encrypt_blocks
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(encrypt_blocks_to) %+ _base
        TABLE_BEGIN
        mov rcx, r9
        BLOCKS_POWERS
        call NAME(power_table)
        mov rcx, [rbp - 8]
        call encrypt_blocks
        TABLE_END
%endif

align 32
encrypt_blocks:
        push rdx
        mov N, r9
        mov DST, r8
        mov SRC, rcx
        mov COUNTER, rsi
        BLOCKS_BEGIN
        vmovdqu x(ACC_H), [rdx]
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        cmp N, 1
        ja .many
        COUNT_ONE
.only_round:
        vaesenc x(0), x(0), [LAST_KEY + FIRST]
        add FIRST, 16
        jnz .only_round
        ONE_TEXT
        jmp .hash               ; FIRST is 0
.many:
        COUNT STRIDE
        mov RI, FIRST
.first_round:
        ROUND STRIDE, [LAST_KEY + RI]
        add RI, 16
        jnz .first_round
        cmp N, 4 * STRIDE
        jb .tail
        SUMS_BEGIN
        jmp .group_text
align 32
.group:
        COUNT STRIDE
        lea HASHED, [DST - 64 * STRIDE]
        call NAME(group)
.group_text:
        call NAME(group_text)
        GROUP_DONE
        cmp N, 4 * STRIDE
        jae .group
        test N, N
        jz .whole
        COUNT STRIDE
        lea HASHED, [DST - 64 * STRIDE]
        call NAME(group)
.tail:
        xor esi, esi                    ; blocks of whole groups that are not yet hashed
        TEXT_MASK_OF_N
        mov ecx, N_D
        vbroadcasti32x4 z(RK), [LAST_KEY]
%assign v 0
%rep STRIDE
        VECTOR_TEXT v
%if v < STRIDE - 1
        sub ecx, 4
        jbe .hash
%endif
%assign v v + 1
%endrep
        jmp .hash
.whole:
        mov esi, 4 * STRIDE
.hash:
        lea rcx, [N + rsi]
        shl rsi, 4
        mov rdx, DST
        sub rdx, rsi
        call NAME(hash_blocks)
        BLOCKS_END
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        pop rdx
        vmovdqu [rdx], x(ACC_H)
        CLEAR_SECRETS
        ret
