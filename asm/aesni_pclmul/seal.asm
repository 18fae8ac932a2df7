; vg_seal_<variant>_<form>: encrypt a whole message with a nonce of 12 bytes, and write its tag
;
;   void f(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
;          const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
;
; In       rdi=gcm  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  r8=src[len]  [rsp+8]=len
; Out      r9=dst[len]; [rsp+16]=tag[16]
; Overlap  dst == src, or disjoint; tag apart from dst
; Secret   *gcm, aad, src, dst, tag: never in an address or a branch
; Public   pointers, lengths, nonce
; Needs    aes ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rax rcx rdx rsi rdi r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE_BYTES + 80 bytes, prepared 48 bytes; the table is cleared
;
; Up to 8 blocks: counter blocks and J0 together, then one sum of products over AAD, text and length block.
; From 9 blocks on: the first 8 alone, then groups of 8 whose AES rounds hide the hashing of the 8 before; the last 1
; to 8 blocks with J0 hide the hashing of the last group, and are hashed with the length block.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"
%include "message128.inc"

extern NAME(power_table)
extern NAME(hash_aad)
extern NAME(load_partial)
extern NAME(store_partial)

%define HASHED  DST - 128               ; the group before
%define AAD_LEN [rsp]
%define LEN     [rsp + 8]

%if !VG_CONTEXT_BASE
FUNCTION NAME(seal) %+ _prepared
        mov r10, [rsp + 8]
        mov TAG, [rsp + 16]
        lea POW, [rdi + GCM_POW]
        jmp seal
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(seal) %+ _base
        mov r10, [rsp + 8]
        mov TAG, [rsp + 16]
        MESSAGE_POWERS
        WITH_POWER_TABLE seal
%endif

align 32
seal:
        push rbx
        push rbp
        push r10
        push rcx
        add C, 15
        shr C, 4
        ACC_ZERO
        test rcx, rcx
        jz .no_aad
        call NAME(hash_aad)
.no_aad:
        MESSAGE_BEGIN
        cmp C, 8
        ja .long

        TAIL_DISPATCH .short, 0
%assign n 0
%rep 9
.short_ %+ n:
        J0_LANE
        TAIL_COUNTERS n
        mov RI, FIRST
.short_round_ %+ n:
        ROUND n + 1, [LAST_KEY + RI]
        add RI, 16
        jnz .short_round_ %+ n
        LAST_ROUND n + 1
        TAIL_TEXT n
        jmp .finish_short
%assign n n + 1
%endrep

.long:
        lea GROUPS, [C - 1]
        shr GROUPS, 3
        GROUP_COUNTERS
        mov RI, FIRST
.first_round:
        ROUND 8, [LAST_KEY + RI]
        add RI, 16
        jnz .first_round
        LAST_ROUND 8
        LOADA xmm8, [NAME(constants) + BYTE_REVERSE]
        jmp .group_text
align 32
.group:
        GROUP_COUNTERS
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
        sub SRC, -128
        sub DST, -128
        sub C, 8
        dec GROUPS
        jnz .group

        mov I, -16
        LOADU T0, [DST + 8*I]
        REVERSE T0
        XOR T0, ACC_H
        ACC_ZERO
        TAIL_DISPATCH .tail, 1
%assign n 1
%rep 8
.tail_ %+ n:
        J0_LANE
        TAIL_COUNTERS n
        mov RI, FIRST
.tail_stitched_ %+ n:
        ROUND n + 1, [LAST_KEY + RI]
        add RI, 16
        MULADD_NEXT
        jz .tail_round_ %+ n
        LOADU T0, [DST + 8*I]
        REVERSE T0
        jmp .tail_stitched_ %+ n
.tail_round_ %+ n:
        ROUND n + 1, [LAST_KEY + RI]
        add RI, 16
        jnz .tail_round_ %+ n
        LAST_ROUND n + 1
        TAIL_TEXT n
        jmp .finish
%assign n n + 1
%endrep

%if POWERS_USED >= 10
.finish_short:                          ; the sum holds the product of the AAD
        ZERO Y
        test C, C
        jnz .last
        mov I, -2
        jmp .lengths
.finish:
        REDUCE
        LOADA Y, ACC_H
        ACC_ZERO
%else
.finish:
        REDUCE
.finish_short:                          ; ACC_H holds the hash of the AAD
        LOADA Y, ACC_H
        ACC_ZERO
        mov I, -2
        test C, C
        jz .lengths
%endif

.last:
        LAST_BYTES
        mov edx, r10d
        shl edx, 4
        cmp ecx, 16
        jne .partial
        XORTEXT LAST, [SRC + rdx - 16], T0
        STOREU [DST + rdx - 16], LAST
.hash:
%if POWERS_USED < 10
        HASH_NINTH DST
%endif
        TAIL_POWERS
.block:
        cmp I, -4
        je .last_block
        LOADU T0, [DST]
        add DST, 16
        REVERSE T0
        XOR T0, Y
        ZERO Y
        MULADD_NEXT
        jmp .block
.last_block:
        LOADA T0, LAST
        REVERSE T0
        XOR T0, Y
        ZERO Y
        MULADD_NEXT
.lengths:
        HASH_LENGTHS
        XOR ACC_H, E0
        STOREU [TAG], ACC_H
        CLEAR_SECRETS
        add rsp, 16
        pop rbp
        pop rbx
        ret

.partial:
        lea rdx, [SRC + rdx - 16]
        call NAME(load_partial)
        XOR LAST, T0
        LAST_BYTES
        lea rdx, [NAME(constants) + KEEP + 16]
        neg rcx
        LOADU T0, [rdx + rcx]
        neg rcx
        AND LAST, T0
        LOADA T0, LAST
        mov edx, r10d
        shl edx, 4
        lea rdx, [DST + rdx - 16]
        call NAME(store_partial)
        jmp .hash
