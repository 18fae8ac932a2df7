; vg_groups_<variant>: encrypt or decrypt groups of 8 blocks, their AES rounds hiding the hashing of 8 other blocks
;
;   An inner function: a register contract of its own.
;
; In       POW  LAST_KEY  FIRST  SRC=text  C=blocks, more than 8  LAG  CTR  GROUP or NUMBER  ACC_H=state, byte-reversed
; Out      DST=text; SRC, DST, C, GROUP and CTR or NUMBER of what is left; ACC_H=state
; Secret   *POW, *LAST_KEY, text, state, NUMBER
; Public   POW, LAST_KEY, FIRST, SRC, DST, C, LAG, CTR
; Needs    aes ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  SRC DST C rbx rcx xmm0-xmm15 flags
; Stack    0 bytes
;
; Groups go on while more than 8 blocks are left. The blocks at SRC + LAG are hashed while those at SRC are
; encrypted: the group before if DST holds ciphertext, or the same if SRC does. With CTR = 1, which is the counter of no
; group, counters come from NUMBER.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"
%include "message128.inc"

%define T2      xmm8                    ; GROUP is in use
%define KEY     rcx                     ; key of round 1, further on once longer keys had rounds of their own
%define HASHED  SRC + LAG

; Round r, and block r of the 8 at HASHED into ACC, of which it is the first if r is 1.
%macro ROUND_HASH 1
        ROUND 8, [KEY + 16 * (%1 - 1)]
        LOADU T0, [HASHED + 16 * (%1 - 1)]
        REVERSE T0
%if %1 == 1
        XOR T0, ACC_H
        MULTIPLY T0, 8
%else
        MULADD T0, 9 - %1
%endif
%endmacro

; 2 more rounds between rounds r and r + 1.
%macro LONGER_KEY 1
        ROUND 8, [KEY + 16 * %1]
        ROUND 8, [KEY + 16 * %1 + 16]
        add KEY, 32
%endmacro

INNER NAME(groups)
.group:
        test CTR, 1
        jnz .numbers
        GROUP_COUNTERS
.rounds:
        lea KEY, [LAST_KEY + FIRST]
        ROUND_HASH 1
        ROUND_HASH 2
        ROUND_HASH 3
%if VG_AES192 || VG_AES256
        cmp esi, -144
        jne .longer_than_128
.rounds_4:
%endif
        ROUND_HASH 4
        ROUND_HASH 5
        ROUND_HASH 6
%if VG_AES256
        cmp esi, -208
        je .longer_than_192
.rounds_7:
%endif
        ROUND_HASH 7
        ROUND_HASH 8
        ROUND 8, [KEY + 128]
        REDUCE
        LAST_ROUND 8
        GROUP_TEXT
        sub C, 8
        cmp C, 8
        ja .group
        ret

.numbers:
        NUMBERS
        ADDD NUMBER, [NAME(constants) + ADDS + 16 * 8]
        jmp .rounds

%if VG_AES192 || VG_AES256
.longer_than_128:
        LONGER_KEY 3
        jmp .rounds_4
%endif
%if VG_AES256
.longer_than_192:
        LONGER_KEY 6
        jmp .rounds_7
%endif
