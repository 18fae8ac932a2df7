; vg_groups_<variant>: encrypt or decrypt groups of 8 blocks, their AES rounds hiding the hashing of 8 other blocks
;
;   An inner function: a register contract of its own.
;
; In       POW  LAST_KEY  FIRST  SRC=text  C=blocks, more than 8  HASHED  CTR  GROUP or NUMBER
;          ACC_H=state, byte-reversed
; Out      DST=text; SRC, DST, C, GROUP and CTR or NUMBER of what is left; ACC_H=state
; Secret   *POW, *LAST_KEY, text, state, NUMBER
; Public   POW, LAST_KEY, FIRST, SRC, DST, C, HASHED, CTR
; Needs    aes ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  SRC DST C HASHED rbx rcx rdx xmm0-xmm15 flags
; Stack    8 bytes
;
; Groups go on while more than 8 blocks are left. The 8 blocks that end at HASHED are hashed while those at SRC are
; encrypted: the group before if DST holds ciphertext, or the same if SRC does. With CTR odd, which is the counter of no
; group, counters come from NUMBER.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"

%define T2      xmm8                    ; GROUP is in use
%define KEY     rdx                     ; offset from LAST_KEY of the next round key

%define TURN    4                       ; rounds, and blocks hashed, in a turn of the loop: 2 or 4

extern NAME(numbers)

INNER NAME(groups)
.group:
        test CTR, 1
        jnz .numbers
        GROUP_COUNTERS
.rounds:
        mov KEY, FIRST
        mov I, -16
        LOADU T0, [HASHED + 8*I]
        REVERSE T0
        XOR T0, ACC_H
        ACC_ZERO
.turn:
%assign b 0
%rep TURN
        %if b
        LOADU T0, [HASHED + 8*I + 16 * b]
        REVERSE T0
        %endif
        ROUND 8, [LAST_KEY + KEY + 16 * b]
        MULADD_AT_I b
%assign b b + 1
%endrep
        add KEY, 16 * TURN
        add I, 2 * TURN
        jz .more
        LOADU T0, [HASHED + 8*I]
        REVERSE T0
        jmp .turn
.more:
        ROUND 8, [LAST_KEY + KEY]
        add KEY, 16
        jnz .more
        REDUCE
        LAST_ROUND 8
        GROUP_TEXT
        sub HASHED, -128
        sub C, 8
        cmp C, 8
        ja .group
        ret

.numbers:
        call NAME(numbers)
        ADDD NUMBER, [NAME(constants) + ADDS + 16 * 8]
        jmp .rounds
