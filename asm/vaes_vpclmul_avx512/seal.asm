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
; Clobber  rax rcx rdx rsi rdi r8-r11 zmm0 zmm1 [zmm2-zmm7] zmm8-zmm19 [zmm20-zmm23] zmm24-zmm31 k1-k3 flags; vector registers that held secrets are cleared
; Stack    base 16 * WIDE_POWERS + 312 bytes, prepared 40 bytes; the table is cleared
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
extern NAME(group)
extern NAME(group_text)
extern NAME(hash_text)
extern NAME(hash_vector)
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

; The last vector of a text, in a lane and masked, in place of the last round; its ciphertext to a lane of TEXT as well.
; RK is the last key.
%macro LAST_TEXT 1
%assign text TEXT + %1
        vmovdqu8 z(T0){TEXT_MASK}{z}, [LAST_AT + 64 * %1]
        vpxorq z(T0), z(T0), z(RK)
        vaesenclast z(%1), z(%1), z(T0)
        vmovdqu8 z(text){TEXT_MASK}{z}, z(%1)
        vmovdqu8 [DST + 64 * %1]{TEXT_MASK}, z(text)
%endmacro

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

        test LEN, LEN
        jz .short_0
        TEXT_MASK_OF_LEN
%if WIDE_POWERS > 4 * STRIDE + 1
        FIRST_TO_ENDS
%else
        STATE_OF_FIRST
        call NAME(last_state)
%endif
        cmp LEN, 64
        ja .short_over_1

        NUMBERS 1
        ROUNDS_1_TO_9 1
        add FIRST, 144
        jz .short_text_1
.short_round_1:
        ROUND 1, [LAST_KEY + FIRST], E0
        add FIRST, 16
        jnz .short_round_1
.short_text_1:
        vbroadcasti32x4 z(RK), [LAST_KEY]
        vaesenclast x(E0), x(E0), x(RK)
        LAST_TEXT 0
        vpshufb z(T2), z(TEXT), z(REV)
        call NAME(hash_vector)
        jmp .tag

.short_over_1:
        cmp LEN, 64 * 2
        ja .short_over_2
%if STRIDE == 2
        ONLY_GROUP
%endif
        NUMBERS 2
        ROUNDS_1_TO_9 2
        add FIRST, 144
        jz .short_done
.short_round_2:
        ROUND 2, [LAST_KEY + FIRST], E0
        add FIRST, 16
        jnz .short_round_2
        jmp .short_done

.short_0:
%if WIDE_POWERS > 4 * STRIDE + 1
        MULTIPLY_ENDS [POW - 32]
%else
        STATE_OF_FIRST
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
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        jmp .tag

.short_over_2:
%if STRIDE > 4
        cmp LEN, 64 * 6
        ja .short_8
        cmp LEN, 64 * 4
        ja .short_6
%endif
%assign n 4
%rep STRIDE / 2 - 1
.short_ %+ n:
%if n == STRIDE
        ONLY_GROUP
%endif
        NUMBERS n
        mov RI, FIRST
.short_round_ %+ n:
        ROUND n, [LAST_KEY + RI], E0
        add RI, 16
        jnz .short_round_ %+ n
%if n < STRIDE
        jmp .short_done
%endif
%assign n n + 2
%endrep
.short_done:
        vaesenclast x(E0), x(E0), [LAST_KEY]

; The last vectors of a text wait for their last round. POW + AT - 32 is where their powers begin.
.text:
        lea esi, [LEN - 1]
        and esi, 64 * STRIDE - 1
        shr esi, 6
        vbroadcasti32x4 z(RK), [LAST_KEY]
        mov ecx, esi
%assign lane 0
%rep STRIDE - 1
%assign text TEXT + lane
        sub ecx, 1
        jb .text_ %+ lane
        vpxorq z(T0), z(RK), [SRC + 64 * lane]
        vaesenclast z(text), z(lane), z(T0)
        vmovdqu64 [DST + 64 * lane], z(text)
%assign lane lane + 1
%endrep
%rep STRIDE
.text_ %+ lane:
        LAST_TEXT lane
%if lane % 2 == 0
%assign text TEXT + lane + 1
        vpxorq x(text), x(text), x(text)
%endif
%if lane > 0
        jmp .hash
%endif
%assign lane lane - 1
%endrep
.hash:
        CLEAR_VECTORS 1, STRIDE - 1
        call NAME(hash_text)
.tag:
        mov rax, [rsp + 16]
        vpxord x(ACC_H), x(ACC_H), x(E0)
        vmovdqu [rax], x(ACC_H)
        CLEAR_MESSAGE
        ret

.long:
        STATE_OF_FIRST
        GROUPS_BEGIN
        SUMS_BEGIN
        lea GROUPS, [LEN - 1]
        mov rcx, GROUPS
        and rcx, -64 * STRIDE
        add LAST_AT, rcx
        shr GROUPS, STRIDE_SHIFT
        NEXT_GROUP
        NUMBERS STRIDE
        mov RI, FIRST
.first_round:
        ROUND STRIDE, [LAST_KEY + RI], E0
        add RI, 16
        jnz .first_round
        vaesenclast x(E0), x(E0), [LAST_KEY]
        jmp .group_text
align 32
.group:
        NEXT_GROUP
        NUMBERS STRIDE
        lea HASHED, [DST - 64 * STRIDE]
        call NAME(group)
        test GROUPS, GROUPS
        jz .tail
.group_text:
        call NAME(group_text)
        dec GROUPS
        jnz .group
        lea ecx, [LEN - 1]
        and ecx, 64 * STRIDE - 1
        cmp ecx, 64 * STRIDE / 2
        jae .group

        NEXT_GROUP
        NUMBERS STRIDE / 2
        mov RI, FIRST
        mov AT, -64 * STRIDE
        vmovdqu64 z(T2), [DST + AT]
        vpshufb z(T2), z(T2), z(REV)
        vpxorq z(T2), z(T2), z(ACC_H)
        ACC_ZERO
.tail_stitched:
        vmovdqu64 z(T5), [DST + AT + 64]
        vpshufb z(T5), z(T5), z(REV)
        ROUND STRIDE / 2, [LAST_KEY + RI]
        vmovdqu64 z(T0), [POW + AT]
        vmovdqu64 z(T1), [POW + AT + 64]
        SUM_PAIR SUM, T0, T1, T3
        PAIR_BEGIN [POW + AT], [POW + AT + 64]
        ROUND STRIDE / 2, [LAST_KEY + RI + 16]
        PAIR_END SUM, [POW + AT + 64]
        add RI, 32
        add AT, 128
        jz .tail_round
        vmovdqu64 z(T2), [DST + AT]
        vpshufb z(T2), z(T2), z(REV)
        jmp .tail_stitched
.tail_round:
        ROUND STRIDE / 2, [LAST_KEY + RI]
        add RI, 16
        jnz .tail_round
        REDUCE z
        FOLD
.tail:
        TEXT_MASK_OF_LEN
        CLEAR_GROUPS
        call NAME(last_state)
        jmp .text

.long_aad:
        call NAME(first_block)
        jmp .no_aad
