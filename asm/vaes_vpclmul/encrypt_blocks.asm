; vg_encrypt_blocks_to_<variant>_<form>: encrypt whole blocks, and hash the ciphertext
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t counter[16], uint8_t y[16], const uint8_t *src, uint8_t *dst, size_t n);
;
; In       rdi=gcm  rsi=counter[16]  rdx=y[16]  rcx=src[16*n]  r9=n, at least 1
; Out      r8=dst[16*n]; counter advanced by n (low 32 bits, big-endian, wraps); y continued over the ciphertext
; Overlap  dst == src, or disjoint
; Secret   *gcm, *counter, *y, src, dst: never in an address or a branch
; Public   pointers, n
; Needs    avx avx2 vaes vpclmulqdq
; Clobber  rax rcx rsi rdi r8-r11 ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE256_BYTES + 88 bytes, prepared 24 bytes; the table is cleared

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"
%include "lanes256.inc"
%include "blocks256.inc"

extern NAME(power_table)
extern NAME(hash_blocks)
extern NAME(numbers)
extern NAME(tail_blocks)
extern NAME(group_alone)
extern NAME(group)

%define COUNTER r11

%if !VG_CONTEXT_BASE
FUNCTION NAME(encrypt_blocks_to) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp encrypt_blocks
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(encrypt_blocks_to) %+ _base
        BLOCKS_TABLE r9, encrypt_blocks
%endif

align 32
encrypt_blocks:
        push rdx
        mov N, r9
        mov DST, r8
        mov SRC, rcx
        mov COUNTER, rsi
        vmovdqu xmm15, [rdx]
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        LOAD_NUMBER
        KEYS256
        cmp N, POWERS
        jb .tail
        call NAME(numbers)
        call NAME(group_alone)
        jmp .count
align 32
.group:
        call NAME(numbers)
        lea HASHED, [DST - GROUP_BYTES]
        call NAME(group)
.count:
        NEXT_NUMBERS
        sub N, POWERS
        cmp N, POWERS
        jae .group
        lea rdx, [DST - GROUP_BYTES]
        mov ecx, POWERS
        call NAME(hash_blocks)
        test N, N
        jz .done
.tail:
        call NAME(tail_blocks)
        mov rdx, DST
        mov rcx, N
        call NAME(hash_blocks)
.done:
        STORE_NUMBER r10d
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        pop rdx
        vmovdqu [rdx], xmm15
        CLEAR_SECRETS
        ret
