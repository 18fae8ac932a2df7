; vg_decrypt_blocks_to_<variant>_<form>: hash whole blocks of ciphertext, and decrypt them
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

%define HASHED  SRC                     ; the group itself
%define N       r10
%define COUNTER r11

%if !VG_CONTEXT_BASE
FUNCTION NAME(decrypt_blocks_to) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp decrypt_blocks
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(decrypt_blocks_to) %+ _base
        mov rax, r9
        WITH_POWER_TABLE decrypt_blocks
%endif

align 32
decrypt_blocks:
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
        cmp N, 8
        jb .tail
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
        GROUP_TEXT
        ADDD NUMBER, [NAME(constants) + ADDS + 16 * 8]
        sub SRC, -128
        sub DST, -128
        sub N, 8
        cmp N, 8
        jae .group
        test N, N
        jz .done
.tail:
        LOADA xmm8, NUMBER
        mov rdx, SRC
        mov rcx, N
        call NAME(hash_blocks)
        LOADA NUMBER, xmm8
        NUMBERS
        mov RI, FIRST
.tail_round:
        ROUND 8, [LAST_KEY + RI]
        add RI, 16
        jnz .tail_round
        LAST_ROUND 8
        TAIL_BLOCKS .stored
.stored:
        LOADD T0, r10d
        ADDD NUMBER, T0
.done:
        REVERSE NUMBER
        STOREU [COUNTER], NUMBER
        REVERSE ACC_H
        pop rdx
        STOREU [rdx], ACC_H
        CLEAR_SECRETS
        pop rbp
        ret
