; vg_group_<variant>: the rounds of a group but the last one, and meanwhile the hash of a whole group
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  FIRST  lanes 0 to STRIDE - 1, counter blocks  POW  HASHED=group to hash  x(ACC_H)=state  SUM  REV
; Out      lanes; x(ACC_H)=state
; Secret   lanes, table at POW, SUM, *LAST_KEY, HASHED, state
; Public   pointers, FIRST
; Needs    avx2 avx512f avx512bw vaes vpclmulqdq
; Clobber  RI zmm0 zmm1 [zmm2-zmm7] z(RK) z(T0) z(T1) z(T2) z(T3) z(T4) z(T5) z(ACC_L) z(ACC_M) z(ACC_H) flags
; Stack    0 bytes
;
; vg_half_group_<variant>: the rounds of half a group but the last one, and meanwhile the hash of a whole group
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  FIRST  lanes 0 to STRIDE / 2 - 1, counter blocks  POW  DST, behind the group to hash  x(ACC_H)=state  REV
; Out      lanes; x(ACC_H)=state
; Secret   lanes, table at POW, *LAST_KEY, the group, state
; Public   pointers, FIRST
; Needs    avx2 avx512f avx512bw vaes vpclmulqdq
; Clobber  RI AT zmm0 [zmm1-zmm3] z(RK) z(T0) z(T1) z(T2) z(T3) z(T4) z(T5) z(ACC_L) z(ACC_M) z(ACC_H) z(SUM) flags
; Stack    0 bytes
;
; vg_group_text_<variant>: the last round of a group, with its text
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  lanes 0 to STRIDE - 1  SRC=text of a group  DST
; Out      text of a group at DST; SRC and DST behind it
; Secret   lanes, *LAST_KEY, text
; Public   pointers
; Needs    avx512f vaes
; Clobber  SRC DST zmm0 zmm1 [zmm2-zmm7] z(RK) z(T0) flags
; Stack    0 bytes

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"
%include "lanes512.inc"

; Two rounds of a group, the first with the key at LAST_KEY + FIRST + %1, and two vectors of the other group, the first
; with number %2: ACC += their products.
%macro GROUP_ROUNDS 2
%assign sum SUM + %2 / 2
        vbroadcasti32x4 z(RK), [LAST_KEY + FIRST + %1]
        vmovdqu64 z(T2), [HASHED + 64 * %2]
        vmovdqu64 z(T5), [HASHED + 64 * %2 + 64]
        vpshufb z(T2), z(T2), z(REV)
        vpshufb z(T5), z(T5), z(REV)
%if %2 == 0
        vpxorq z(T2), z(T2), z(ACC_H)
        ACC_ZERO
%endif
%assign lane 0
%rep STRIDE / 2
        vaesenc z(lane), z(lane), z(RK)
%assign lane lane + 1
%endrep
        PAIR_BEGIN [POW - 64 * (STRIDE - %2)], [POW - 64 * (STRIDE - %2 - 1)]
%rep STRIDE - STRIDE / 2
        vaesenc z(lane), z(lane), z(RK)
%assign lane lane + 1
%endrep
        vbroadcasti32x4 z(RK), [LAST_KEY + FIRST + %1 + 16]
%assign lane 0
%rep STRIDE / 2
        vaesenc z(lane), z(lane), z(RK)
%assign lane lane + 1
%endrep
        PAIR_END sum, [POW - 64 * (STRIDE - %2 - 1)]
%rep STRIDE - STRIDE / 2
        vaesenc z(lane), z(lane), z(RK)
%assign lane lane + 1
%endrep
%endmacro

INNER NAME(group)
%assign v 0
%rep STRIDE / 2
        GROUP_ROUNDS 16 * v, v
%assign v v + 2
%endrep
%assign key 16 * STRIDE
%rep 9 - STRIDE
        ROUND STRIDE, [LAST_KEY + FIRST + key]
%assign key key + 16
%endrep
        REDUCE z
        FOLD
        lea RI, [FIRST + 144]
        test RI, RI
        jz .done
.more_rounds:
        ROUND STRIDE, [LAST_KEY + RI]
        add RI, 16
        jnz .more_rounds
.done:
        ret

INNER NAME(half_group)
        mov RI, FIRST
        mov AT, -64 * STRIDE
        vmovdqu64 z(T2), [DST + AT]
        vpshufb z(T2), z(T2), z(REV)
        vpxorq z(T2), z(T2), z(ACC_H)
        ACC_ZERO
.stitched:
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
        jz .round
        vmovdqu64 z(T2), [DST + AT]
        vpshufb z(T2), z(T2), z(REV)
        jmp .stitched
.round:
        ROUND STRIDE / 2, [LAST_KEY + RI]
        add RI, 16
        jnz .round
        REDUCE z
        FOLD
        ret

INNER NAME(group_text)
        vbroadcasti32x4 z(RK), [LAST_KEY]
%assign lane 0
%rep STRIDE
        vpxorq z(T0), z(RK), [SRC + 64 * lane]
        vaesenclast z(lane), z(lane), z(T0)
        vmovdqu64 [DST + 64 * lane], z(lane)
%assign lane lane + 1
%endrep
        add SRC, 64 * STRIDE
        add DST, 64 * STRIDE
        ret
