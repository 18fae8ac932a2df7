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
; Stack    base TABLE_BYTES + 56 bytes, prepared 24 bytes; the table is cleared

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"
%include "blocks128.inc"
%include "message128.inc"

extern NAME(power_table)
extern NAME(hash_blocks)

%define HASHED  DST - 128               ; the group before
%define N       r10
%define COUNTER r11

%if !VG_CONTEXT_BASE
FUNCTION NAME(encrypt_blocks_to) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp encrypt_blocks
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(encrypt_blocks_to) %+ _base
        mov rax, r9
        WITH_POWER_TABLE encrypt_blocks
%endif

align 32
encrypt_blocks:
        push rbp
        push rdx
        mov N, r9
        mov DST, r8
        mov SRC, rcx
        mov COUNTER, rsi
        LOADU ACC_H, [rdx]
        REVERSE ACC_H
        LOADU NUMBER, [COUNTER]
        REVERSE NUMBER
        KEYS_BEGIN
        LOADA xmm8, [NAME(constants) + BYTE_REVERSE]
        NUMBERS
        mov RI, FIRST
.first_round:
        ROUND 8, [LAST_KEY + RI]
        add RI, 16
        jnz .first_round
        LAST_ROUND 8
        cmp N, 8
        jb .tail
        jmp .group_text
align 32
.group:
        NUMBERS
        GROUP_STITCHED
        lea RI, [FIRST + 144]
        test RI, RI
        jz .last_round
.more_rounds:
        ROUND 8, [LAST_KEY + RI]
        add RI, 16
        jnz .more_rounds
.last_round:
        LAST_ROUND 8
.group_text:
        GROUP_TEXT
        ADDD NUMBER, [NAME(constants) + ADDS + 16 * 8]
        sub SRC, -128
        sub DST, -128
        sub N, 8
        cmp N, 8
        jae .group

        LOADA xmm8, NUMBER
        lea rdx, [DST - 128]
        mov ecx, 8
        call NAME(hash_blocks)
        LOADA NUMBER, xmm8
        test N, N
        jz .done
        NUMBERS
        mov RI, FIRST
.tail_round:
        ROUND 8, [LAST_KEY + RI]
        add RI, 16
        jnz .tail_round
        LAST_ROUND 8
.tail:
        TAIL_BLOCKS .stored
.stored:
        LOADD T0, r10d
        ADDD NUMBER, T0
        LOADA xmm8, NUMBER
        mov rdx, DST
        mov rcx, N
        call NAME(hash_blocks)
        LOADA NUMBER, xmm8
.done:
        REVERSE NUMBER
        STOREU [COUNTER], NUMBER
        REVERSE ACC_H
        pop rdx
        STOREU [rdx], ACC_H
        CLEAR_SECRETS
        pop rbp
        ret
