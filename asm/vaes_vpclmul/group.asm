%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"
%include "lanes256.inc"

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

; Count an instruction of all rounds; after four, hash as much as is due.
%macro HASH_BESIDE 0
%assign done done + 1
%assign turn done % 4
        %if turn == 0
        HASH_UP_TO done * HASH_STEPS / (10 * VECTORS)
        %endif
%endmacro

; vg_group_<variant>: the keystream of a group of counter blocks, and the hash of another group of text beside it
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY, FIRST, whitened counter blocks in ymm0.., POW, Y, HASHED
; Out      ymm0..; Y continued over the group at HASHED
; Secret   round keys, table at POW, keystream, text, state
; Public   pointers
; Needs    avx avx2 vaes vpclmulqdq
; Clobber  rcx ymm0-ymm3 [ymm4-ymm7] RK ACC_L ACC_M ACC_H T0 T1 Y flags
; Stack    0 bytes
;
; The last ten rounds and the hash take turns, four instructions of each.
INNER NAME(group)
        mov RI, FIRST
        cmp RI, -144
        je .ten
.more:
        ROUND256 VECTORS, LAST_KEY + RI
        add RI, 16
        cmp RI, -144
        jne .more
.ten:
%assign hashed 0
%assign done 0
%assign r 0
%rep 10
        vbroadcasti128 RK, [LAST_KEY - 144 + 16 * r]
%assign lane 0
%rep VECTORS
        %if r < 9
        vaesenc ymm %+ lane, ymm %+ lane, RK
        %else
        vaesenclast ymm %+ lane, ymm %+ lane, RK
        %endif
        HASH_BESIDE
%assign lane lane + 1
%endrep
%assign r r + 1
%endrep
        ret

; vg_group_tail_<variant>: the keystream of a tail of n vectors, and the hash of the group before it
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY, FIRST, whitened counter blocks in ymm0 to ymm(n), ecx=n, 1 to VECTORS; POW, Y, HASHED
; Out      ymm0 to ymm(n), of ymm0 lane 0 alone; Y continued over the group at HASHED
; Secret   round keys, table at POW, keystream, text, state
; Public   pointers, n
; Needs    avx avx2 vaes vpclmulqdq
; Clobber  rcx ymm0-ymm4 [ymm5-ymm8] RK ACC_L ACC_M ACC_H T0 T1 Y flags
; Stack    8 bytes
;
; Hashing takes longer than the rounds of all vectors of a group. One more, if there is one, waits for the text to be
; hashed: ymm0, which is not wanted before.
INNER NAME(group_tail)
        cmp ecx, VECTORS
        jne NAME(group)
        vmovdqa RK, ymm0
        vmovdqa ymm0, ymm %+ VECTORS
        vmovdqa ymm %+ VECTORS, RK
        call NAME(group)
        vmovdqa RK, ymm0
        vmovdqa ymm0, ymm %+ VECTORS
        vmovdqa ymm %+ VECTORS, RK
        mov RI, FIRST
.round:
        vaesenc xmm0, xmm0, [LAST_KEY + RI]
        add RI, 16
        jnz .round
        vaesenclast xmm0, xmm0, [LAST_KEY]
        ret

; vg_group_text_<variant>: xor a group of text with its keystream
;
;   An inner function: a register contract of its own.
;
; In       ymm0.. = keystream, SRC
; Out      DST; SRC and DST behind the group
; Secret   keystream, text
; Public   pointers
; Needs    avx avx2
; Clobber  r8 r9 ymm0-ymm3 [ymm4-ymm7] flags
; Stack    0 bytes
INNER NAME(group_text)
%assign v 0
%rep VECTORS
        vpxor ymm %+ v, ymm %+ v, [SRC + 32 * v]
        vmovdqu [DST + 32 * v], ymm %+ v
%assign v v + 1
%endrep
        sub SRC, -GROUP_BYTES
        sub DST, -GROUP_BYTES
        ret
