; The counter blocks of the operations on whole blocks, which begin anywhere and wrap.

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"

; The whitened counter blocks that are 32 bytes of numbers at m behind NUMBER, in d; RK is round key 0.
%macro NUMBER256 2
        vpaddd %1, NUMBER, [%2]
        REVERSE256 %1
        vpxor %1, %1, RK
%endmacro

; vg_numbers_<variant>: the next counter blocks of a text, whitened
;
;   An inner function: a register contract of its own.
;
; In       NUMBER, LAST_KEY, FIRST
; Out      ymm0 to ymm(VECTORS - 1); NUMBER behind them
; Secret   round keys, NUMBER
; Public   pointers
; Needs    avx avx2
; Clobber  ymm0-ymm3 [ymm4-ymm7] NUMBER RK
; Stack    0 bytes
INNER NAME(numbers)
        vbroadcasti128 RK, [LAST_KEY + FIRST - 16]
%assign v 0
%rep VECTORS
        NUMBER256 ymm %+ v, NAME(wide) + NUMBERS2 + 32 * v
%assign v v + 1
%endrep
        vpaddd NUMBER, NUMBER, [NAME(wide) + NEXT2]
        ret

; vg_numbers_tail_<variant>: the counter blocks of the end of a text, and of the block behind it, whitened
;
;   An inner function: a register contract of its own.
;
; In       NUMBER, LAST_KEY, FIRST, N, up to GROUP_BYTES, of whole blocks
; Out      xmm0 = the block behind; LAST; the others in ymm2 to ymm(VECTORS); ecx = vectors of text
; Secret   round keys, NUMBER
; Public   pointers, N
; Needs    avx avx2
; Clobber  rcx rdx ymm0-ymm4 [ymm5-ymm8] RK flags
; Stack    0 bytes
INNER NAME(numbers_tail)
        vbroadcasti128 RK, [LAST_KEY + FIRST - 16]
        lea rdx, [NAME(wide) + NUMBERS2]
        lea ecx, [N - 1]
        and ecx, -32
        NUMBER256 ymm0, rdx + N
        NUMBER256 LAST, rdx + rcx
        NUMBER256 ymm2, rdx
        shr ecx, 5
        inc ecx
        cmp ecx, 2
        jbe .done
%assign k 1
%rep VECTORS - 2
%assign lane k + 2
        NUMBER256 ymm %+ lane, rdx + 32 * k
%assign k k + 1
%endrep
.done:
        ret
