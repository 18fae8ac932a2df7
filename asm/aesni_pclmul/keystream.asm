; vg_keystream_<variant>: E(K, J0), and the keystream of a whole message of 0 to 8 blocks
;
;   An inner function: a register contract of its own.
;
; In       C=blocks, 0 to 8  LAST_KEY  FIRST  GROUP  E0=J0, whitened
; Out      E0; xmm1 to xmm8: keystream, the last block's in xmm1; those beyond C are of no use
; Secret   *LAST_KEY, E0, xmm1 to xmm8
; Public   LAST_KEY, FIRST, C
; Needs    aes, and avx in VEX encoding
; Clobber  FIRST xmm0-xmm9 flags
; Stack    8 bytes
;
; FIRST ends as 0.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "lanes128.inc"

INNER NAME(keystream)
        push rdx
        TAIL_COUNTERS rdx
        pop rdx
        jmp NAME(keystream_rounds)

; vg_tail_counters_<variant>: the counter blocks of the last 1 to 8 blocks of a message, and of J0
;
;   An inner function: a register contract of its own.
;
; In       C=blocks, 1 to 8  GROUP and CTR of the first of them
; Out      xmm0 to xmm8: as vg_keystream_rounds wants them
; Secret   xmm0 to xmm8
; Public   C, CTR
; Needs    none, and avx in VEX encoding
; Clobber  rcx rbx xmm0-xmm8 NEXT flags
; Stack    0 bytes
INNER NAME(tail_counters)
        mov ecx, CTR
        bswap ecx
        xor ecx, 0x01000000
        LOADD E0, ecx
        BYTESLEFT E0, E0, 12
        XOR E0, GROUP
        GROUP_DIFFERENCE NEXT
        XOR NEXT, GROUP
        TAIL_COUNTERS rcx
        cmp C, 7
        jb .done
        XOR3 xmm1, NEXT, [rcx - 112]    ; numbers from 8 on do carry
        je .done
        LOADA xmm2, NEXT
.done:
        ret

; vg_keystream_rounds_<variant>: encrypt the counter blocks of the last blocks of a text, and one more
;
;   An inner function: a register contract of its own.
;
; In       C=blocks, 0 to 8  LAST_KEY  FIRST  xmm0=the one more  xmm1 to xmm8: that of the last block in xmm1; whitened
; Out      xmm0 to xmm8: keystream; those beyond C are of no use
; Secret   *LAST_KEY, xmm0 to xmm8
; Public   LAST_KEY, FIRST, C
; Needs    aes, and avx in VEX encoding
; Clobber  FIRST xmm0-xmm9 flags
; Stack    0 bytes
;
; FIRST ends as 0. Numbers of blocks without rounds of their own take those of 8 blocks.
INNER NAME(keystream_rounds)
%assign n 0
%rep VG_UNROLLED + 1
        cmp C, n
        je .round_ %+ n
%assign n n + 1
%endrep
%assign n 8
%rep 9
%if n == 8 || n <= VG_UNROLLED
.round_ %+ n:
        ROUND n + 1, [LAST_KEY + FIRST]
        add FIRST, 16
        jnz .round_ %+ n
        LAST_ROUND n + 1
        ret
%endif
%assign n n - 1
%endrep
