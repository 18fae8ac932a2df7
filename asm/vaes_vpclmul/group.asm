%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"
%include "lanes256.inc"

; vg_keystream_<variant>: the keystream of a group of counter blocks
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY, FIRST, whitened counter blocks in ymm0..
; Out      ymm0..
; Secret   round keys, keystream
; Public   pointers
; Needs    avx avx2 vaes
; Clobber  rcx ymm0-ymm3 [ymm4-ymm7] RK flags
; Stack    0 bytes
INNER NAME(keystream)
        mov RI, FIRST
.round:
        ROUND256 VECTORS, LAST_KEY + RI
        add RI, 16
        jnz .round
        LAST_ROUND256 VECTORS
        ret

; vg_group_alone_<variant>: encrypt or decrypt a group of text
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY, FIRST, whitened counter blocks in ymm0.., SRC
; Out      DST; SRC and DST behind the group
; Secret   round keys, keystream, text
; Public   pointers
; Needs    avx avx2 vaes
; Clobber  rcx r8 r9 ymm0-ymm3 [ymm4-ymm7] RK flags
; Stack    8 bytes
INNER NAME(group_alone)
        call NAME(keystream)
        GROUP_TEXT256
        ret

; Step s of the product of vector v of HASHED; the sum begins with it if %3.
%macro HASH_STEP 3
%if VG_VAES_KARATSUBA
%if %2 == 0
        vmovdqu T0, [HASHED + 32 * %1]
%elif %2 == 1
        REVERSE256 T0
        %if %1 == 0
        vpxor T0, T0, Y
        %endif
%elif %2 == 2
        vpshufd T1, T0, 0x4e
%elif %2 == 3
        vpxor T1, T1, T0
%elif %2 == 4
        %if %3
        vpclmulqdq ACC_M, T1, [POW + 32 * (%1 / 2)], (%1 & 1) * 0x10
        %else
        vpclmulqdq T1, T1, [POW + 32 * (%1 / 2)], (%1 & 1) * 0x10
        %endif
%elif %2 == 5
        %if %3 == 0
        vpxor ACC_M, ACC_M, T1
        %endif
%elif %2 == 6
        %if %3
        vpclmulqdq ACC_L, T0, [POW - GROUP_BYTES + 32 * %1], 0x00
        %else
        vpclmulqdq T1, T0, [POW - GROUP_BYTES + 32 * %1], 0x00
        %endif
%elif %2 == 7
        %if %3 == 0
        vpxor ACC_L, ACC_L, T1
        %endif
%elif %2 == 8
        %if %3
        vpclmulqdq ACC_H, T0, [POW - GROUP_BYTES + 32 * %1], 0x11
        %else
        vpclmulqdq T0, T0, [POW - GROUP_BYTES + 32 * %1], 0x11
        %endif
%elif %2 == 9
        %if %3 == 0
        vpxor ACC_H, ACC_H, T0
        %endif
%endif
%else
%if %2 == 0
        vmovdqu T0, [HASHED + 32 * %1]
%elif %2 == 1
        REVERSE256 T0
        %if %1 == 0
        vpxor T0, T0, Y
        %endif
%elif %2 == 2
        %if %3
        vpclmulqdq ACC_M, T0, [POW - GROUP_BYTES + 32 * %1], 0x01
        %else
        vpclmulqdq T1, T0, [POW - GROUP_BYTES + 32 * %1], 0x01
        %endif
%elif %2 == 3
        %if %3 == 0
        vpxor ACC_M, ACC_M, T1
        %endif
%elif %2 == 4
        vpclmulqdq T1, T0, [POW - GROUP_BYTES + 32 * %1], 0x10
%elif %2 == 5
        vpxor ACC_M, ACC_M, T1
%elif %2 == 6
        %if %3
        vpclmulqdq ACC_L, T0, [POW - GROUP_BYTES + 32 * %1], 0x00
        %else
        vpclmulqdq T1, T0, [POW - GROUP_BYTES + 32 * %1], 0x00
        %endif
%elif %2 == 7
        %if %3 == 0
        vpxor ACC_L, ACC_L, T1
        %endif
%elif %2 == 8
        %if %3
        vpclmulqdq ACC_H, T0, [POW - GROUP_BYTES + 32 * %1], 0x11
        %else
        vpclmulqdq T0, T0, [POW - GROUP_BYTES + 32 * %1], 0x11
        %endif
%elif %2 == 9
        %if %3 == 0
        vpxor ACC_H, ACC_H, T0
        %endif
%endif
%endif
%endmacro

; Step n of reducing the sum.
%macro REDUCE_STEP 1
%if %1 == 0
%if VG_VAES_KARATSUBA
        vpxor ACC_M, ACC_M, ACC_L
        vpxor ACC_M, ACC_M, ACC_H
%endif
%elif %1 == 1
        vpclmulqdq T0, ACC_L, [NAME(wide) + POLY2], 0x10
        vpshufd ACC_L, ACC_L, 0x4e
%elif %1 == 2
        vpxor ACC_M, ACC_M, ACC_L
        vpxor ACC_M, ACC_M, T0
%elif %1 == 3
        vpclmulqdq T0, ACC_M, [NAME(wide) + POLY2], 0x10
        vpshufd ACC_M, ACC_M, 0x4e
%elif %1 == 4
        vpxor ACC_H, ACC_H, ACC_M
        vpxor ACC_H, ACC_H, T0
%elif %1 == 5
        FOLD
%endif
%endmacro

; Step n of hashing a group: vectors 1, 2, ... and then 0, which alone needs the state, so that nothing waits for it.
%define HASH_STEPS (10 * VECTORS + 6)
%macro GROUP_HASH_STEP 1
%if %1 < 10 * VECTORS
%assign vector (%1 / 10 + 1) % VECTORS
%assign step %1 % 10
%assign begins %1 < 10
        HASH_STEP vector, step, begins
%else
%assign step %1 - 10 * VECTORS
        REDUCE_STEP step
%endif
%endmacro

; The steps before number n that were not done yet.
%macro HASH_UP_TO 1
%rep HASH_STEPS
        %if hashed < %1
        GROUP_HASH_STEP hashed
%assign hashed hashed + 1
        %endif
%endrep
%endmacro

; All rounds on n vectors, the last ten beside the hashing of a group, in turns of four instructions. %2: instructions
; in all that the hashing is spread over, which may go on behind the rounds.
%macro HASH_ROUNDS 2
        mov RI, FIRST
        cmp RI, -144
        je %%ten
%%more:
        ROUND256 %1, LAST_KEY + RI
        add RI, 16
        cmp RI, -144
        jne %%more
%%ten:
%assign hashed 0
%assign done 0
%assign r 0
%rep 10
        vbroadcasti128 RK, [LAST_KEY - 144 + 16 * r]
%assign lane 0
%rep %1
        %if r < 9
        vaesenc ymm %+ lane, ymm %+ lane, RK
        %else
        vaesenclast ymm %+ lane, ymm %+ lane, RK
        %endif
        HASH_BESIDE %2
%assign lane lane + 1
%endrep
%assign r r + 1
%endrep
%endmacro

; Count an instruction of %1; after four, hash as much as is due.
%macro HASH_BESIDE 1
%assign done done + 1
%assign turn done % 4
        %if turn == 0 || done == %1
        HASH_UP_TO done * HASH_STEPS / (%1)
        %endif
%endmacro

; vg_group_<variant>: encrypt or decrypt a group of text, and hash another, or the same before it is decrypted
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY, FIRST, whitened counter blocks in ymm0.., SRC, POW, Y, HASHED
; Out      DST; SRC and DST behind the group; Y continued over the group at HASHED
; Secret   round keys, table at POW, keystream, text, state
; Public   pointers
; Needs    avx avx2 vaes vpclmulqdq
; Clobber  rcx r8 r9 ymm0-ymm3 [ymm4-ymm7] RK ACC_L ACC_M ACC_H T0 T1 Y flags
; Stack    0 bytes
INNER NAME(group)
        HASH_ROUNDS VECTORS, 12 * VECTORS
%assign v 0
%rep VECTORS
        vpxor ymm %+ v, ymm %+ v, [SRC + 32 * v]
        HASH_BESIDE 12 * VECTORS
        vmovdqu [DST + 32 * v], ymm %+ v
        HASH_BESIDE 12 * VECTORS
%assign v v + 1
%endrep
        sub SRC, -GROUP_BYTES
        sub DST, -GROUP_BYTES
        ret

; vg_group_before_<variant>: the keystream of a tail, and the hash of the group before it
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY, FIRST, whitened counter blocks in ymm0 to ymm(VECTORS), POW, Y, HASHED
; Out      ymm0 to ymm(VECTORS); Y continued over the group at HASHED
; Secret   round keys, table at POW, keystream, text, state
; Public   pointers
; Needs    avx avx2 vaes vpclmulqdq
; Clobber  rcx ymm0-ymm4 [ymm5-ymm8] RK ACC_L ACC_M ACC_H T0 T1 Y flags
; Stack    0 bytes
INNER NAME(group_before)
        HASH_ROUNDS VECTORS + 1, 10 * (VECTORS + 1)
        ret
