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

; Step n of hashing a group: vectors 1, 2, ... and then 0, which alone needs the state, so that nothing waits for it.
%define HASH_STEPS (10 * VECTORS)
%macro GROUP_HASH_STEP 1
%assign vector (%1 / 10 + 1) % VECTORS
%assign step %1 % 10
%assign begins %1 < 10
        HASH_STEP vector, step, begins
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
%assign hashed 0
%assign r 0
%rep 9
        vbroadcasti128 RK, [LAST_KEY + FIRST + 16 * r]
%assign lane 0
%rep VECTORS
        vaesenc ymm %+ lane, ymm %+ lane, RK
%assign lane lane + 1
        HASH_UP_TO (r * VECTORS + lane) * HASH_STEPS / (9 * VECTORS)
%endrep
%assign r r + 1
%endrep
        REDUCE256
        FOLD
        lea RI, [FIRST + 144]
        test RI, RI
        jz .last_round
.more_rounds:
        ROUND256 VECTORS, LAST_KEY + RI
        add RI, 16
        jnz .more_rounds
.last_round:
        LAST_ROUND256 VECTORS
        GROUP_TEXT256
        ret
