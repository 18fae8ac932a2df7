; vg_text_<variant>: the last round of the last vectors of a text, and the end of the hash
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  LEN, at least 1  lanes 0 to n - 1 for the n = 1..STRIDE vectors that whole groups leave  TEXT_MASK
;          SRC, LAST_AT=text: the last vector of it behind LAST_AT, the others behind SRC  POW  AT  ACC  REV  NUMS
; Out      DST; x(ACC_H)=the hash, in the byte order of memory
; Secret   lanes, *LAST_KEY, text, table at POW, ACC
; Public   pointers, LEN, AT
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  rcx rsi zmm0 [zmm1-zmm7] z(RK) z(T0) z(T1) z(T2) z(T3) z(T4) z(T5) z(ACC_L) z(ACC_M) z(ACC_H) zmm16 zmm17 [zmm18-zmm23] flags
; Stack    0 bytes
;
; vg_text_1_<variant>: the same for one vector
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  LEN  lane 0  TEXT_MASK  LAST_AT=text  POW  AT  ACC  REV  NUMS
; Out      DST; x(ACC_H)=the hash, in the byte order of memory
; Secret   lane 0, *LAST_KEY, text, table at POW, ACC
; Public   pointers, LEN, AT
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  [rcx] z(0) z(RK) z(T0) z(T1) z(T2) z(T3) z(T4) z(ACC_L) z(ACC_M) z(ACC_H) z(TEXT) [flags]
; Stack    0 bytes

%include "abi.inc"
%include "layout512.inc"
%include "registers512.inc"

extern NAME(hash_text)
extern NAME(hash_vector)

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

INNER NAME(text)
        lea esi, [LEN - 1]
        and esi, 64 * STRIDE - 1
        shr esi, 6
        jz NAME(text_1)
        vbroadcasti32x4 z(RK), [LAST_KEY]
        mov ecx, esi
%assign lane 0
%rep STRIDE - 1
%assign text TEXT + lane
        vpxorq z(T0), z(RK), [SRC + 64 * lane]
        vaesenclast z(text), z(lane), z(T0)
        vmovdqu64 [DST + 64 * lane], z(text)
%assign lane lane + 1
%if lane < STRIDE - 1
        sub ecx, 1
        jz .last_ %+ lane
%endif
%endrep
%rep STRIDE - 1
.last_ %+ lane:
        LAST_TEXT lane
%if lane % 2 == 0
%assign text TEXT + lane + 1
        vpxorq x(text), x(text), x(text)
%endif
        jmp NAME(hash_text)
%assign lane lane - 1
%endrep

INNER NAME(text_1)
        vbroadcasti32x4 z(RK), [LAST_KEY]
        LAST_TEXT 0
        vpshufb z(T2), z(TEXT), z(REV)
        jmp NAME(hash_vector)
