; vg_open_text_<variant>: the last round of the last vectors of a ciphertext, and the end of the hash
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  LEN, at least 1  lanes 0 to n - 1 for the n = 1..STRIDE vectors that whole groups leave  TEXT_MASK
;          SRC=ciphertext  POW  AT  ACC  REV  NUMS
; Out      lanes=text; r11=n-1; x(ACC_H)=the hash, in the byte order of memory
; Secret   lanes, *LAST_KEY, ciphertext, table at POW, ACC
; Public   pointers, LEN, AT
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  rcx rsi r11 zmm0 zmm1 [zmm2-zmm7] z(RK) z(T0) z(T1) z(T2) z(T3) z(T4) z(T5) z(ACC_L) z(ACC_M) z(ACC_H) zmm16 zmm17 [zmm18-zmm23] flags
; Stack    0 bytes
;
; vg_open_text_1_<variant>: the same for one vector
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  LEN  lane 0  TEXT_MASK  SRC=ciphertext  POW  AT  ACC  REV  NUMS
; Out      z(0)=text; x(ACC_H)=the hash, in the byte order of memory
; Secret   lane 0, *LAST_KEY, ciphertext, table at POW, ACC
; Public   pointers, LEN, AT
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  [rcx] z(0) z(RK) z(T0) z(T1) z(T2) z(T3) z(T4) z(ACC_L) z(ACC_M) z(ACC_H) z(TEXT) [flags]
; Stack    0 bytes
;
; vg_open_store_<variant>: write the text that open_text left in lanes
;
;   An inner function: a register contract of its own.
;
; In       r11=n-1  lanes 0 to n - 1  TEXT_MASK
; Out      DST=text
; Secret   lanes
; Public   DST, r11
; Needs    avx512f avx512bw
; Clobber  r11 flags
; Stack    0 bytes

%include "abi.inc"
%include "layout512.inc"
%include "registers512.inc"

extern NAME(hash_text)
extern NAME(hash_vector)

%define VECTORS r11d                    ; less one

; The last vector of a ciphertext: to a lane of TEXT, and decrypted in place of the last round. RK is the last key.
%macro LAST_TEXT 1
%assign text TEXT + %1
        vmovdqu8 z(text){TEXT_MASK}{z}, [SRC + 64 * %1]
        vpxorq z(T0), z(RK), z(text)
        vaesenclast z(%1), z(%1), z(T0)
%endmacro

INNER NAME(open_text)
        lea VECTORS, [LEN - 1]
        and VECTORS, 64 * STRIDE - 1
        shr VECTORS, 6
        jz NAME(open_text_1)
        vbroadcasti32x4 z(RK), [LAST_KEY]
        mov ecx, VECTORS
        mov esi, VECTORS
%assign lane 0
%rep STRIDE - 1
%assign text TEXT + lane
        vmovdqu64 z(text), [SRC + 64 * lane]
        vpxorq z(T0), z(RK), z(text)
        vaesenclast z(lane), z(lane), z(T0)
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

INNER NAME(open_text_1)
        vbroadcasti32x4 z(RK), [LAST_KEY]
        LAST_TEXT 0
        vpshufb z(T2), z(TEXT), z(REV)
        jmp NAME(hash_vector)

INNER NAME(open_store)
%assign lane 0
%rep STRIDE - 1
        sub VECTORS, 1
        jb .store_ %+ lane
        vmovdqu64 [DST + 64 * lane], z(lane)
%assign lane lane + 1
%endrep
%rep STRIDE
.store_ %+ lane:
        vmovdqu8 [DST + 64 * lane]{TEXT_MASK}, z(lane)
        ret
%assign lane lane - 1
%endrep
