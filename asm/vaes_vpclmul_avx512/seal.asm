; vg_seal_<variant>_<form>: encrypt a whole message with a nonce of 12 bytes, and compute its tag
; vg_seal_split_<variant>_<form>: the same for a text whose last vector of 64 bytes or less lies at dst already
;
;   void f(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
;          const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
;
; In       rdi=gcm  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  r8=src[len]  [rsp+8]=len
; Out      r9=dst[len]; [rsp+16]=tag[16]
; Overlap  dst == src, or disjoint; tag apart from dst
; Secret   *gcm, aad, src, dst, tag: never in an address or a branch
; Public   pointers, lengths, nonce
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 zmm0-zmm31 k1-k3 flags; vector registers that held secrets are cleared
; Stack    base 16 * WIDE_POWERS + 248 bytes, prepared 40 bytes; the table is cleared
;
; A text of up to STRIDE vectors is encrypted at once. Of a longer one the first group is encrypted alone; while each
; of the others is, the one before is hashed, and so it is with the last 1 to STRIDE vectors. Their own hash, with the
; state so far and the length block, comes last.

%include "abi.inc"
%include "layout512.inc"
%include "constants.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"
%include "lanes512.inc"
%include "stitched512.inc"
%include "message512.inc"

extern NAME(first_block)
extern NAME(last_state)
%if LENGTH_ALONE
extern NAME(length_alone)
%endif
%if !VG_CONTEXT_PREPARED
extern NAME(message_powers)
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(seal) %+ _prepared
        mov LEN, [rsp + 8]
        mov LAST_AT, SRC
        lea POW, [rdi + GCM_POW]
        jmp seal
%if VG_SPLIT || VG_GATHER
FUNCTION NAME(seal_split) %+ _prepared
        mov LEN, [rsp + 8]
        mov LAST_AT, DST
        lea POW, [rdi + GCM_POW]
        jmp seal
%endif
%endif

; The text of n vectors, the last one masked, in place of the last round.
%macro LAST_TEXT 1
        vbroadcasti32x4 z(RK), [LAST_KEY]
        vaesenclast x(E0), x(E0), x(RK)
%assign j 0
%rep %1 - 1
%assign lane STRIDE - %1 + j
        vpxorq z(T0), z(RK), [SRC + 64 * j]
        vaesenclast z(lane), z(lane), z(T0)
        vmovdqu64 [DST + 64 * j], z(lane)
%assign j j + 1
%endrep
%assign lane STRIDE - 1
        vmovdqu8 z(T0){TEXT_MASK}{z}, [LAST_AT]
        vpxorq z(T0), z(T0), z(RK)
        vaesenclast z(lane), z(lane), z(T0)
        vmovdqu8 [DST + 64 * (%1 - 1)]{TEXT_MASK}, z(lane)
        vmovdqu8 z(lane){TEXT_MASK}{z}, z(lane)
%endmacro

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(seal) %+ _base
        mov LEN, [rsp + 8]
        mov LAST_AT, SRC
%if VG_SPLIT || VG_GATHER
        jmp seal_base
FUNCTION NAME(seal_split) %+ _base
        mov LEN, [rsp + 8]
        mov LAST_AT, DST
seal_base:
%endif
        TABLE_BEGIN
        call NAME(message_powers)
        push qword [rbp + 24]
        push qword [rbp + 16]
        call seal
        TABLE_END
%endif

align 32
seal:
        MESSAGE_BEGIN
        test rcx, rcx
        jz .no_aad
        cmp rcx, 16
        ja .long_aad
        ONE_BLOCK_OF_AAD
.no_aad:
        KEYS_BEGIN
        cmp LEN, 64 * STRIDE
        ja .long

        ONLY_GROUP
%if WIDE_POWERS > 4 * STRIDE + 1
        lea AT, [LEN + 15]
        and AT, -16
        neg AT
        MULTIPLY_ENDS [POW + AT - 32]
        test LEN, LEN
        jz .short_0
%else
        STATE_OF_FIRST
        test LEN, LEN
        jz .short_0
%endif
        LAST_VECTOR
%if WIDE_POWERS > 4 * STRIDE + 1
        LAST_POWERS
%else
        call NAME(last_state)
%endif
        cmp LEN, 64 * 2
        jbe .short_under_3
%if STRIDE > 2
        cmp LEN, 64 * 4
%if STRIDE > 4
        ja .short_over_4
%endif
        cmp LEN, 64 * 3
        ja .short_4
        jmp .short_3
%if STRIDE > 4
.short_over_4:
        cmp LEN, 64 * 6
        ja .short_over_6
        cmp LEN, 64 * 5
        ja .short_6
        jmp .short_5
.short_over_6:
        cmp LEN, 64 * 7
        ja .short_8
        jmp .short_7
%endif
%endif
.short_under_3:
        cmp LEN, 64
        ja .short_2

%assign n 1
%rep STRIDE
.short_ %+ n:
        NUMBERS n
        mov RI, FIRST
.short_round_ %+ n:
        ROUND n, [LAST_KEY + RI], E0
        add RI, 16
        jnz .short_round_ %+ n
        LAST_TEXT n
        jmp .hash_ %+ n
%assign n n + 1
%endrep

.short_0:
%if WIDE_POWERS <= 4 * STRIDE + 1
        STATE_TO_ENDS
        MULTIPLY_ENDS [POW - 16]
%endif
.short_round_0:
        vaesenc x(E0), x(E0), [LAST_KEY + FIRST]
        add FIRST, 16
        jnz .short_round_0
        vaesenclast x(E0), x(E0), [LAST_KEY]
        REDUCE z
        FOLD
        jmp .tag

.long:
        STATE_OF_FIRST
        GROUPS_BEGIN
        HALVES_BEGIN
        lea GROUPS, [LEN - 1]
        shr GROUPS, STRIDE_SHIFT
        NEXT_GROUP
        NUMBERS STRIDE
        mov RI, FIRST
.first_round:
        ROUND STRIDE, [LAST_KEY + RI]
        add RI, 16
        jnz .first_round
        jmp .group_text
align 32
.group:
        NEXT_GROUP
        NUMBERS STRIDE
        GROUP_STITCHED DST - 64 * STRIDE
        lea RI, [FIRST + 144]
        test RI, RI
        jz .group_text
.more_rounds:
        ROUND STRIDE, [LAST_KEY + RI]
        add RI, 16
        jnz .more_rounds
.group_text:
        GROUP_TEXT
        add SRC, 64 * STRIDE
        add DST, 64 * STRIDE
        dec GROUPS
        jnz .group

        LAST_VECTOR
        vmovdqu64 z(T0), [DST - 64 * STRIDE]
        vpshufb z(T0), z(T0), z(REV)
        vpxorq z(T0), z(T0), z(ACC_H)
        vpxor x(ACC_L), x(ACC_L), x(ACC_L)
        vpxor x(ACC_M), x(ACC_M), x(ACC_M)
        vpxor x(ACC_H), x(ACC_H), x(ACC_H)
        mov AT, -64 * STRIDE
        lea ecx, [LEN - 1]
        and ecx, 64 * STRIDE - 1
        shr ecx, 6
%if STRIDE > 4
        cmp ecx, 4
        jb .tail_under_5
        je .tail_5
        cmp ecx, 6
        jb .tail_6
        je .tail_7
        jmp .tail_8
.tail_under_5:
%endif
%if STRIDE > 2
        cmp ecx, 2
        jb .tail_under_3
        je .tail_3
        jmp .tail_4
.tail_under_3:
%endif
        test ecx, ecx
        jnz .tail_2

%assign n 1
%rep STRIDE
.tail_ %+ n:
        NEXT_GROUP
        NUMBERS n
        mov RI, FIRST
.tail_stitched_ %+ n:
        ROUND n, [LAST_KEY + RI], E0
        MULTIPLY_ADD z(T0), [POW + AT]
        add RI, 16
        add AT, 64
        jz .tail_round_ %+ n
        vmovdqu64 z(T0), [DST + AT]
        vpshufb z(T0), z(T0), z(REV)
        jmp .tail_stitched_ %+ n
.tail_round_ %+ n:
        ROUND n, [LAST_KEY + RI], E0
        add RI, 16
        jnz .tail_round_ %+ n
        REDUCE z
        FOLD
        call NAME(last_state)
        LAST_TEXT n
        jmp .hash_ %+ n
%assign n n + 1
%endrep

%assign i 0
%rep STRIDE
%assign n STRIDE - i
.hash_ %+ n:
        vpshufb z(i), z(i), z(REV)
        MULTIPLY_ADD z(i), [POW + AT - 32 - 64 * (STRIDE - 1 - i)]
%assign i i + 1
%endrep
        REDUCE z
        FOLD
%if LENGTH_ALONE
        lea ecx, [LEN - 1]
        and ecx, 64 * STRIDE - 16
        cmp ecx, 64 * STRIDE - 16
        jne .tag
        call NAME(length_alone)
%endif
.tag:
        mov rax, [rsp + 16]
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        vpxord x(ACC_H), x(ACC_H), x(E0)
        vmovdqu [rax], x(ACC_H)
        CLEAR_SECRETS
        ret

.long_aad:
        call NAME(first_block)
        jmp .no_aad
