; What sealing and opening a whole message have in common: all but the text.

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"
%include "lanes256.inc"
%include "message256.inc"

extern NAME(hash_aad)

; Counter blocks of the first n vectors of a text, or behind groups, in ymm2.. .
%macro COUNTERS_FROM_2 1
%assign k 1
%rep %1
%assign lane k + 1
        vpxor ymm %+ lane, GROUP, [NAME(constants) + COUNTS + 32 * k]
%assign k k + 1
%endrep
%endmacro

; CTR goes on to the next group, T1 is by how much GROUP changes. Clobbers rcx, rdx.
%macro CTR_STEP256 0
        mov ecx, CTR
        add CTR, POWERS
        bswap ecx
        mov edx, CTR
        bswap edx
        xor edx, ecx
        vmovd xmm14, edx
        vpslldq xmm14, xmm14, 12
        vinserti128 T1, T1, xmm14, 1
%endmacro

; vg_message_<variant>: begin a message
;
;   An inner function: a register contract of its own.
;
; In       POW, rdi=gcm  rsi=nonce[12]  rdx=aad[rcx]  rcx=aad_len; [rsp+24]=len
; Out      N = len, LAST_KEY, FIRST; GROUP = nonce || 0, whitened; T0 = the AAD's last block to multiply, or zero
; Secret   *gcm, aad
; Public   pointers, lengths, nonce
; Needs    ssse3 avx avx2 vpclmulqdq
; Clobber  rcx rdx rsi rdi r10 xmm0 GROUP T2 ACC_L ACC_M ACC_H T0 T1 Y flags
; Stack    32 bytes
INNER NAME(message)
        mov N, [rsp + 24]
        vmovq xmm8, [rsi]
        vpinsrd xmm8, xmm8, [rsi + 8], 2
        vpxor xmm8, xmm8, [rdi + GCM_ROUND_KEY]
        vinserti128 GROUP, GROUP, xmm8, 1
        lea rsi, [rcx - 8]
        cmp rsi, 8
        ja .other_aad
        vmovq xmm13, [rdx]
        vmovq xmm14, [rdx + rcx - 8]
        lea rdx, [NAME(constants) + WINDOW + 16]
        sub rdx, rcx
        vpshufb xmm14, xmm14, [rdx]
        vpunpcklqdq xmm13, xmm13, xmm14
        REVERSE256 T0
.aad:
        KEYS256
        ret
.other_aad:
        vpxor xmm13, xmm13, xmm13
        test rcx, rcx
        jz .aad
        call NAME(hash_aad)
        jmp .aad

; vg_message_group_<variant>: the next counter blocks of a message
;
;   An inner function: a register contract of its own.
;
; In       GROUP = nonce || CTR, whitened
; Out      ymm0..; GROUP and CTR for the next group
; Secret   GROUP
; Public   CTR
; Needs    avx avx2
; Clobber  rcx rdx rbx ymm0-ymm3 [ymm4-ymm7] GROUP T1 flags
; Stack    0 bytes
INNER NAME(message_group)
%assign v 0
%rep VECTORS - 1
        vpxor ymm %+ v, GROUP, [NAME(constants) + COUNTS + 32 * (v + 1)]
%assign v v + 1
%endrep
        CTR_STEP256
        vpxor GROUP, GROUP, T1
        vpxor ymm %+ v, GROUP, [NAME(constants) + COUNTS]
        ret

; vg_message_tail_<variant>: the counter blocks of J0 and of what groups have left of a message
;
;   An inner function: a register contract of its own.
;
; In       GROUP = nonce || CTR, whitened; N, up to GROUP_BYTES
; Out      ymm0 to ymm(VECTORS); ecx = vectors of text
; Secret   GROUP
; Public   CTR, N
; Needs    avx avx2
; Clobber  rcx rdx rbx ymm0-ymm4 [ymm5-ymm8] T1 flags
; Stack    0 bytes
INNER NAME(message_tail)
        mov edx, CTR
        bswap edx
        xor edx, 0x01000000
        vmovd xmm0, edx
        vpslldq xmm0, xmm0, 12
        vpxor xmm0, xmm0, xmm8
        CTR_STEP256
        vpxor LAST, GROUP, T1
        vpxor LAST, LAST, [NAME(constants) + COUNTS]
        lea ecx, [N + 31]
        and ecx, -32
        cmp ecx, GROUP_BYTES
        je .last
        lea rdx, [NAME(constants) + COUNTS]
        vpxor LAST, GROUP, [rdx + rcx]
.last:
        COUNTERS_FROM_2 VECTORS - 1
        shr ecx, 5
        ret

; vg_first_product_<variant>: begin a sum
;
;   An inner function: a register contract of its own.
;
; In       POW, T0 = a block and another, or zero; rdx = the power of the first, H^1 is that of the other
; Out      ACC
; Secret   table at POW, blocks
; Public   POW, rdx
; Needs    avx avx2 vpclmulqdq
; Clobber  [T2] ACC_L ACC_M ACC_H T1 H
; Stack    0 bytes
INNER NAME(first_product)
        FIRST_PRODUCT
        ret

; vg_hash_one_<variant>: the hash of one block
;
;   An inner function: a register contract of its own.
;
; In       POW, T0 = the block
; Out      Y
; Secret   table at POW, block
; Public   POW
; Needs    avx avx2 vpclmulqdq
; Clobber  rdx [T2] ACC_L ACC_M ACC_H T0 T1 H
; Stack    8 bytes
INNER NAME(hash_one)
        lea rdx, [POW - 16]
.sum:
        call NAME(first_product)
        REDUCE256
        FOLD
        ret

; vg_hash_first_<variant>: hash the first block of VECTORS vectors of text, which leave no power for the block before
;
;   An inner function: a register contract of its own.
;
; In       POW, N, T0 = the block before, rdx = its power, ymm2 = the first vector reversed; [rsp+16]=aad_len
;          [rsp+32]=len
; Out      T0 = the second block with all this, and the length block; rdx = the power for it
; Secret   table at POW, text
; Public   POW, N, lengths
; Needs    avx avx2 vpclmulqdq
; Clobber  rcx rdx [T2] ACC_L ACC_M ACC_H T0 T1 H flags
; Stack    16 bytes
INNER NAME(hash_first)
        vinserti128 T0, T0, xmm2, 1
        call NAME(hash_one).sum
        vextracti128 xmm13, ymm2, 1
        vpxor xmm13, xmm13, xmm15
        LENGTHS 16
        vinserti128 T0, T0, xmm14, 1
        FIRST_POWER 0
        ret

; vg_tail_sum_<variant>: begin the sum of fewer than VECTORS vectors of text behind groups
;
;   An inner function: a register contract of its own.
;
; In       POW, N, Y; [rsp+16]=aad_len  [rsp+32]=len
; Out      ACC; rdx = the power of the first block
; Secret   table at POW, state
; Public   POW, N, lengths
; Needs    avx avx2 vpclmulqdq
; Clobber  rcx rdx [T2] ACC_L ACC_M ACC_H T0 T1 H flags
; Stack    0 bytes
INNER NAME(tail_sum)
        vmovdqa T0, Y
        LENGTHS 16
        vinserti128 T0, T0, xmm14, 1
        FIRST_POWER 1
        jmp NAME(first_product)
