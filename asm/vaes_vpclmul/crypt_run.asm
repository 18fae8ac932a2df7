; vg_crypt_run_<variant>_<form>: encrypt or decrypt whole blocks, and hash the ciphertext
;
;   void f(const struct vg_aes_gcm *gcm, struct vg_run *run, const uint8_t *src, uint8_t *dst, size_t n, uint32_t flags);
;
; In       rdi=gcm  rsi=run[64]  rdx=src[16*n]  r8=n, at least 1  r9=flags
; Out      rcx=dst[16*n]; run: counter advanced by n (low 32 bits, big-endian, wraps), y continued, keystream if asked
; Overlap  dst == src, or disjoint; run apart from both
; Secret   *gcm, *run, src, dst: never in an address or a branch
; Public   pointers, n, flags
; Needs    avx avx2 vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 ymm0-ymm15 flags; vector registers that held secrets are cleared
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

%define COUNTER r11                     ; run
%define FLAGS   ebx
%define DECRYPT 1
%define BLOCK   2
%define KEYSTREAM 4

%if !VG_CONTEXT_BASE
FUNCTION NAME(crypt_run) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp crypt_run
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(crypt_run) %+ _base
        BLOCKS_TABLE r8, crypt_run
%endif

align 32
crypt_run:
        push rbx
        mov FLAGS, r9d
        mov N, r8
        mov DST, rcx
        mov SRC, rdx
        mov COUNTER, rsi
        vmovdqu xmm15, [COUNTER + 16]
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        LOAD_NUMBER
        KEYS256
        test FLAGS, BLOCK
        jz .blocks
        lea rdx, [COUNTER + 32]
        mov ecx, 1
        call NAME(hash_blocks)
.blocks:
        cmp N, POWERS
        jb .tail
        test FLAGS, DECRYPT
        jnz .decrypt
        call NAME(numbers)
        call NAME(group_alone)
        jmp .count
.encrypt:
        call NAME(numbers)
        lea HASHED, [DST - GROUP_BYTES]
        call NAME(group)
.count:
        NEXT_NUMBERS
        sub N, POWERS
        cmp N, POWERS
        jae .encrypt
        lea rdx, [DST - GROUP_BYTES]
        mov ecx, POWERS
        call NAME(hash_blocks)
        jmp .groups_done
.decrypt:
        call NAME(numbers)
        mov HASHED, SRC
        call NAME(group)
        NEXT_NUMBERS
        sub N, POWERS
        cmp N, POWERS
        jae .decrypt
.groups_done:
        test N, N
        jz .done
.tail:
        test FLAGS, DECRYPT
        jz .crypt
        mov rdx, SRC
        mov rcx, N
        call NAME(hash_blocks)
.crypt:
        call NAME(tail_blocks)
        test FLAGS, DECRYPT
        jnz .done
        mov rdx, DST
        mov rcx, N
        call NAME(hash_blocks)
.done:
        STORE_NUMBER r10d
        test FLAGS, KEYSTREAM
        jz .end
        vpxor xmm8, xmm8, [LAST_KEY + FIRST - 16]
.round:
        vaesenc xmm8, xmm8, [LAST_KEY + FIRST]
        add FIRST, 16
        jnz .round
        vaesenclast xmm8, xmm8, [LAST_KEY]
        vmovdqu [COUNTER + 48], xmm8
.end:
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        vmovdqu [COUNTER + 16], xmm15
        CLEAR_SECRETS
        pop rbx
        ret
