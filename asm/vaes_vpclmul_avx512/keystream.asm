; vg_group_numbers_<variant>: counter blocks of the next group of a message
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  FIRST  NUMS  NEXT  NEXT_MASK  REV
; Out      lanes 0 to STRIDE - 1, whitened; BASE, NEXT and NUMS
; Secret   *LAST_KEY, BASE, NEXT, lanes
; Public   pointers, FIRST
; Needs    avx512f avx512bw
; Clobber  zmm0 zmm1 [zmm2-zmm7] z(RK) z(NUMS) z(BASE) z(NEXT)
; Stack    0 bytes
;
; vg_keystream_<variant>: the keystream of the last vectors of a message, but for the last round
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  FIRST  RI=n-1 for n = 1..STRIDE vectors  BASE  NEXT and NEXT_MASK for STRIDE of them  x(E0), whitened
; Out      lanes 0 to n - 1, but for one also the next odd one; x(E0), encrypted
; Secret   *LAST_KEY, BASE, NEXT, lanes, E0
; Public   pointers, FIRST, RI
; Needs    avx512f avx512vl vaes
; Clobber  RI zmm0 zmm1 [zmm2-zmm7] z(RK) z(E0) flags
; Stack    8 bytes
;
; vg_keystream_1_<variant>: the same for one vector
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  FIRST  BASE  x(E0), whitened
; Out      lane 0; x(E0), encrypted
; Secret   *LAST_KEY, BASE, lane 0, E0
; Public   pointers, FIRST
; Needs    avx512f avx512vl vaes
; Clobber  RI z(0) z(RK) z(E0) flags
; Stack    0 bytes
;
; vg_rounds_<variant>: all rounds but the last, on counter blocks
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  FIRST  RI=n-1 for n = 1..STRIDE vectors  lanes 0 to n - 1, whitened  x(E0), whitened
; Out      lanes 0 to n - 1, but for one also the next odd one; x(E0), encrypted
; Secret   *LAST_KEY, lanes, E0
; Public   pointers, FIRST, RI
; Needs    avx512f avx512vl vaes
; Clobber  RI zmm0 zmm1 [zmm2-zmm7] z(RK) z(E0) flags
; Stack    0 bytes

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "lanes512.inc"

; To %1_1, %1_2, %1_4, ...: the least number of lanes that RI + 1 vectors take.
%macro CHOOSE_LANES 1
        cmp ecx, 1
        jb %1_1
        je %1_2
%if STRIDE > 4
        cmp ecx, 4
        jb %1_4
        cmp ecx, 6
        jb %1_6
        jmp %1_8
%else
        jmp %1_ %+ STRIDE
%endif
%endmacro

INNER NAME(group_numbers)
        NEXT_GROUP
whole_group:
        NUMBERS STRIDE
        ret

INNER NAME(keystream)
        CHOOSE_LANES .numbers
.numbers_1:
        jmp NAME(keystream_1)
%assign n 2
%rep STRIDE / 2
.numbers_ %+ n:
%if n == STRIDE
        call whole_group
%else
        NUMBERS n
%endif
        jmp rounds_ %+ n
%assign n n + 2
%endrep

INNER NAME(keystream_1)
        NUMBERS 1
rounds_1:
        ROUNDS_1_TO_9 1
        mov RI, FIRST
        add RI, 144
        jz rounds_done
.more:
        ROUND 1, [LAST_KEY + RI], E0
        add RI, 16
        jnz .more
rounds_done:
        vaesenclast x(E0), x(E0), [LAST_KEY]
        ret

INNER NAME(rounds)
        CHOOSE_LANES rounds
rounds_2:
        ROUNDS_1_TO_9 2
        mov RI, FIRST
        add RI, 144
        jz rounds_done
.more:
        ROUND 2, [LAST_KEY + RI], E0
        add RI, 16
        jnz .more
        jmp rounds_done
%assign n 4
%rep STRIDE / 2 - 1
rounds_ %+ n:
        mov RI, FIRST
.round_ %+ n:
        ROUND n, [LAST_KEY + RI], E0
        add RI, 16
        jnz .round_ %+ n
        jmp rounds_done
%assign n n + 2
%endrep
