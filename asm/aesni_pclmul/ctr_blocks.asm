; vg_ctr_blocks_<variant>: counter mode over 1 to 8 blocks, whose counters begin anywhere and wrap
;
;   An inner function: a register contract of its own.
;
; In       SRC=src[16*n]  rdx=n, 1 to 8  LAST_KEY  FIRST  NUMBER=the first counter block, byte-reversed
; Out      DST=dst[16*n]; SRC, DST behind them; NUMBER of the next counter block
; Secret   *LAST_KEY, src, dst, NUMBER
; Public   LAST_KEY, FIRST, SRC, DST, n
; Needs    aes ssse3, and avx in VEX encoding
; Clobber  rcx SRC DST xmm0-xmm7 RK T0 NUMBER flags
; Stack    8 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"

INNER NAME(ctr_blocks)
        call NAME(numbers)
        LOADD T0, edx
        ADDD NUMBER, T0
        jmp NAME(ctr_lanes)

; vg_ctr_lanes_<variant>: the same for counter blocks that are there
;
;   An inner function: a register contract of its own.
;
; In       SRC=src[16*n]  rdx=n, 1 to 8  LAST_KEY  FIRST  xmm0 to xmm7: counter blocks, whitened
; Out      DST=dst[16*n]; SRC, DST behind them
; Secret   *LAST_KEY, src, dst, xmm0 to xmm7
; Public   LAST_KEY, FIRST, SRC, DST, n
; Needs    aes, and avx in VEX encoding
; Clobber  rcx SRC DST xmm0-xmm7 RK flags
; Stack    0 bytes
INNER NAME(ctr_lanes)
        mov RI, FIRST
.round:
        ROUND 8, [LAST_KEY + RI]
        add RI, 16
        jnz .round
        LAST_ROUND 8
        cmp edx, 8
        jb .some
        GROUP_TEXT
        ret

.some:
%assign lane 0
%rep 7
        XORTEXT xmm %+ lane, [SRC + 16 * lane], RK
        STOREU [DST + 16 * lane], xmm %+ lane
%assign lane lane + 1
        %if lane < 7
        cmp edx, lane
        je .stored
        %endif
%endrep
.stored:
        mov ecx, edx
        shl ecx, 4
        add SRC, rcx
        add DST, rcx
        ret

; vg_numbers_<variant>: the counter blocks of 8 blocks, whose counters begin anywhere and wrap
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  FIRST  NUMBER=the first counter block, byte-reversed
; Out      xmm0 to xmm7, whitened
; Secret   *LAST_KEY, NUMBER, xmm0 to xmm7
; Public   LAST_KEY, FIRST
; Needs    ssse3, and avx in VEX encoding
; Clobber  xmm0-xmm7 RK
; Stack    0 bytes
;
; Of a nonce other than 12 bytes counters are secret: no branch may look at them.
INNER NAME(numbers)
        LOADA RK, [NAME(constants) + BYTE_REVERSE]
%assign lane 0
%rep 8
        ADDD3 xmm %+ lane, NUMBER, [NAME(constants) + ADDS + 16 * lane]
        SHUFB xmm %+ lane, RK
%assign lane lane + 1
%endrep
        LOADA RK, [LAST_KEY + FIRST - 16]
%assign lane 0
%rep 8
        XOR xmm %+ lane, RK
%assign lane lane + 1
%endrep
        ret
