; vg_keystream_<variant>: E(K, J0), and the keystream of the last 0 to 8 blocks of a message
;
;   An inner function: a register contract of its own.
;
; In       C=blocks, 0 to 8  LAST_KEY  FIRST  GROUP  NEXT  E0=J0, whitened
; Out      E0; xmm1 to xmm8: keystream, the last block's in xmm1; those beyond C are of no use
; Secret   *LAST_KEY, E0, xmm1 to xmm8
; Public   LAST_KEY, FIRST, C
; Needs    aes, and avx in VEX encoding
; Clobber  FIRST xmm0-xmm9 flags
; Stack    0 bytes
;
; FIRST ends as 0. GROUP is the group of the first of the blocks.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "lanes128.inc"

INNER NAME(keystream)
%assign n 0
%rep 8
        cmp C, n
        je .counters_ %+ n
%assign n n + 1
%endrep

; Numbers of blocks without rounds of their own take those of 8 blocks.
%assign n 8
%rep 9
.counters_ %+ n:
        TAIL_COUNTERS n
%if n == 8 || n <= VG_UNROLLED
.round_ %+ n:
        ROUND n + 1, [LAST_KEY + FIRST]
        add FIRST, 16
        jnz .round_ %+ n
        LAST_ROUND n + 1
        ret
%else
        jmp .round_8
%endif
%assign n n - 1
%endrep
