; The counter blocks and the tail of the operations on whole blocks, whose counters begin anywhere and wrap.

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"
%include "lanes256.inc"

extern NAME(keystream)

; Whitened counter blocks of vectors n.. in ymm(n)..; RK is round key 0.
%macro NUMBERS256 2
%assign v %1
%rep %2
        vpaddd ymm %+ v, NUMBER, [NAME(wide) + NUMBERS2 + 32 * v]
        REVERSE256 ymm %+ v
        vpxor ymm %+ v, ymm %+ v, RK
%assign v v + 1
%endrep
%endmacro

; vg_numbers_<variant>: the next counter blocks of a text, whitened
;
;   An inner function: a register contract of its own.
;
; In       NUMBER, LAST_KEY, FIRST
; Out      ymm0 to ymm(VECTORS - 1)
; Secret   round keys
; Public   pointers
; Needs    avx avx2
; Clobber  ymm0-ymm3 [ymm4-ymm7] RK
; Stack    0 bytes
INNER NAME(numbers)
        vbroadcasti128 RK, [LAST_KEY + FIRST - 16]
        NUMBERS256 0, VECTORS
        ret

; vg_tail_blocks_<variant>: encrypt or decrypt fewer blocks than a group has
;
;   An inner function: a register contract of its own.
;
; In       NUMBER, LAST_KEY, FIRST, SRC, N = blocks, at least 1
; Out      DST
; Secret   round keys, keystream, text
; Public   pointers, N
; Needs    avx avx2 vaes
; Clobber  rcx ymm0-ymm3 [ymm4-ymm7] RK flags
; Stack    8 bytes
INNER NAME(tail_blocks)
        vbroadcasti128 RK, [LAST_KEY + FIRST - 16]
        NUMBERS256 0, 2
        cmp N, 4
        ja .many
        mov RI, FIRST
.round:
        ROUND256 2, LAST_KEY + RI
        add RI, 16
        jnz .round
        LAST_ROUND256 2
        jmp .text
.many:
        NUMBERS256 2, VECTORS - 2
        call NAME(keystream)
.text:
%assign v 0
%rep VECTORS
        cmp N, 2 * v + 1
        je .odd_ %+ v
        vpxor ymm %+ v, ymm %+ v, [SRC + 32 * v]
        vmovdqu [DST + 32 * v], ymm %+ v
        %if v < VECTORS - 1
        cmp N, 2 * v + 2
        je .done
        %endif
%assign v v + 1
%endrep
%assign v 0
%rep VECTORS
.odd_ %+ v:
        vpxor xmm %+ v, xmm %+ v, [SRC + 32 * v]
        vmovdqu [DST + 32 * v], xmm %+ v
        %if v < VECTORS - 1
        jmp .done
        %endif
%assign v v + 1
%endrep
.done:
        ret
