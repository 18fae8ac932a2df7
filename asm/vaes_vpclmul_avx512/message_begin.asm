; vg_message_begin_<variant>: what sealing and opening a message begin with
;
;   An inner function: a register contract of its own.
;
; In       rdi=gcm  POW  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  LEN
; Out      LAST_KEY; FIRST; REV; x(E0)=J0, whitened; BASE, with number 0
;          carry, if the text has up to STRIDE vectors: NEXT and NEXT_MASK; in ACC the products of AAD and length block,
;          as last_state leaves them, and AT; TEXT_MASK
;          zero, if there is no text: x(E0)=E(K, J0); x(ACC_H)=the hash, in the byte order of memory
;          neither, of a longer one: ENDS, with the last block of the AAD and the length block
; Secret   *gcm, aad
; Public   pointers, lengths, nonce
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  rcx rdx rsi rdi z(T0) z(T1) z(T2) z(T3) z(T4) [z(T5)] z(ACC_L) z(ACC_M) z(ACC_H) z(ENDS) [zmm20-zmm23] z(REV) [z(NUMS)] z(BASE) z(NEXT) z(E0) k1-k3 flags
; Stack    40 bytes
;
; vg_long_begin_<variant>: what is left to do before the groups of a longer message
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  FIRST  REV  BASE  ENDS  POW  LEN
; Out      NUMS, NEXT and NEXT_MASK as group_numbers wants them; x(ACC_H)=state after the AAD; SUM; GROUPS=groups, but for
;          the last
; Secret   *LAST_KEY, BASE, ENDS, table at POW
; Public   POW, FIRST, LEN
; Needs    avx512f avx512bw vpclmulqdq
; Clobber  rcx GROUPS z(RK) z(T0) z(T1) z(T2) z(ACC_L) z(ACC_M) z(ACC_H) zmm16 [zmm17-zmm19] z(NUMS) z(NEXT) k2 flags
; Stack    8 bytes
;
; vg_groups_begin_<variant>: what they want of powers
;
;   An inner function: a register contract of its own.
;
; In       POW  LEN
; Out      SUM; GROUPS=groups, but for the last
; Secret   table at POW
; Public   POW, LEN
; Needs    avx512f
; Clobber  GROUPS z(T0) z(T1) z(T2) zmm16 [zmm17-zmm19] flags
; Stack    0 bytes

%include "abi.inc"
%include "layout512.inc"
%include "constants.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"
%include "message512.inc"

extern NAME(first_block)
extern NAME(last_state)
extern NAME(multiply_h)

INNER NAME(message_begin)
        vmovq x(T0), [rsi]
        vpinsrd x(T0), x(T0), [rsi + 8], 2
        vpxor x(T0), x(T0), [rdi + GCM_ROUND_KEY]
        vpxord x(E0), x(T0), [NAME(constants) + COUNTS + 16]
        vshufi64x2 z(BASE), z(T0), z(T0), 0     ; with number 0
        vmovdqa64 z(REV), [NAME(wide) + WIDE_REVERSE]
        vmovq x(ENDS), LEN
        vpinsrq x(ENDS), x(ENDS), rcx, 1
        vpsllq x(ENDS), x(ENDS), 3
        vpxor x(T0), x(T0), x(T0)
        test rcx, rcx
        jz .first_block                         ; there is none
        cmp rcx, 16
        jbe .short_aad
        call NAME(first_block)
        jmp .first_block
.short_aad:
        mov esi, 1
        shl esi, cl
        dec esi
        kmovd TEXT_MASK, esi
        vmovdqu8 x(T0){TEXT_MASK}{z}, [rdx]
        vpshufb x(T0), x(T0), x(REV)
.first_block:
        vinserti128 y(ENDS), y(T0), x(ENDS), 1
        KEYS_BEGIN
        cmp LEN, 64 * STRIDE
        ja .done
        test LEN, LEN
        jz .no_text
        TEXT_MASK_OF_LEN
%if WIDE_POWERS > 4 * STRIDE + 1
        lea AT, [LEN - 1]
        and AT, -16
        neg AT
        MULTIPLY_ENDS [POW + AT - 48]
%else
        vmovdqa x(ACC_H), x(ENDS)
        call NAME(multiply_h)
        call NAME(last_state)
%endif
        cmp LEN, 64 * (STRIDE - 1) + 1
        jae .whole_group
.done:
        ret
.whole_group:
        mov ecx, 0xf0
        kmovd NEXT_MASK, ecx
        vbroadcasti32x4 z(NEXT), [NAME(wide) + WIDE_COUNTS + 16 * (4 * STRIDE - 2)]
        vpxorq z(NEXT), z(NEXT), z(BASE)
        cmp LEN, -1                             ; below, and not equal
        ret

.no_text:
%if WIDE_POWERS > 4 * STRIDE + 1
        MULTIPLY_ENDS [POW - 32]
%else
        vmovdqa x(ACC_H), x(ENDS)
        call NAME(multiply_h)
        STATE_TO_ENDS
        MULTIPLY_ENDS [POW - 16]
%endif
        mov RI, FIRST
.round:
        vaesenc x(E0), x(E0), [LAST_KEY + RI]
        add RI, 16
        jnz .round
        vaesenclast x(E0), x(E0), [LAST_KEY]
        REDUCE z
        FOLD
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        test LEN, LEN
        ret

INNER NAME(long_begin)
        vmovdqa x(ACC_H), x(ENDS)
        call NAME(multiply_h)
        mov ecx, 0xf0
        kmovd NEXT_MASK, ecx
        vbroadcasti32x4 z(RK), [LAST_KEY + FIRST - 16]
        vpxorq z(NUMS), z(BASE), z(RK)
        vpshufb z(NUMS), z(NUMS), z(REV)
        vmovdqa64 z(NEXT), z(BASE)
        jmp NAME(groups_begin)

INNER NAME(groups_begin)
%assign v 0
%rep STRIDE / 2
%assign sum SUM + v
        vmovdqu64 z(T0), [POW - 64 * (STRIDE - 2 * v)]
        vmovdqu64 z(T1), [POW - 64 * (STRIDE - 2 * v - 1)]
        SUM_PAIR sum, T0, T1, T2
%assign v v + 1
%endrep
        lea GROUPS, [LEN - 1]
        shr GROUPS, STRIDE_SHIFT
        ret
