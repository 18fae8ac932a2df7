; vg_count_<variant>: counter blocks that begin anywhere and wrap
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY  FIRST  RI=n-1 for n = 1..STRIDE vectors  NUMS=numbers of the first, byte-reversed  REV
; Out      lanes 0 to n - 1, or to the next odd one, whitened
; Secret   *LAST_KEY, NUMS, lanes
; Public   pointers, FIRST, RI
; Needs    avx512f avx512bw
; Clobber  zmm0 zmm1 [zmm2-zmm7] z(RK) [flags]
; Stack    0 bytes

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"

INNER NAME(count)
        vbroadcasti32x4 z(RK), [LAST_KEY + FIRST - 16]
%if STRIDE > 4
        cmp ecx, 6
        jae .lanes_8
        cmp ecx, 4
        jae .lanes_6
%endif
%if STRIDE > 2
        cmp ecx, 2
        jb .lanes_2
%endif
%if STRIDE > 4
        jmp .lanes_4
%endif
%assign lane STRIDE
%rep STRIDE
%if lane % 2 == 0
.lanes_ %+ lane:
%endif
%assign lane lane - 1
        vpaddd z(lane), z(NUMS), [NAME(wide) + WIDE_ADDS + 64 * lane]
        vpshufb z(lane), z(lane), z(REV)
        vpxorq z(lane), z(lane), z(RK)
%endrep
        ret
