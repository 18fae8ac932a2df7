; vg_message_begin_<variant>: begin a message, with E(K, J0) and all its keystream if it has up to 8 blocks
;
;   An inner function: a register contract of its own.
;
; In       rdi=gcm  rsi=nonce[12]  C=bytes of text
; Out      C=blocks  GROUP=nonce || 0, whitened  LAST_KEY
;          C <= 8: E0 and xmm1 to xmm8 as from vg_keystream_rounds; else FIRST, E0=J0, whitened
; Secret   *gcm, E0, xmm1 to xmm8
; Public   gcm, *nonce, C
; Needs    aes, and avx in VEX encoding
; Clobber  rcx rsi rdi r10 xmm0-xmm9 T0 GROUP flags
; Stack    0 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "lanes128.inc"

%define ROUNDS(n) NAME(keystream_rounds) %+ .rounds_ %+ n

INNER NAME(message_begin)
        add C, 15
        shr C, 4
        LOADQ GROUP, [rsi]
        LOADD T0, [rsi + 8]
        UNPACKQ GROUP, T0
        XOR GROUP, [rdi + GCM_ROUND_KEY]
        KEYS_FROM_0
        COUNTER E0, GROUP, 1
        cmp C, 4
        ja .over_4
        je .blocks_4
        cmp C, 2
        ja .blocks_3
        je .blocks_2
        test C, C
        jz ROUNDS(0)
%assign n 1
%rep 4
.blocks_ %+ n:
%assign lane n
%rep n
        COUNTER xmm %+ lane, GROUP, n + 2 - lane
%assign lane lane - 1
%endrep
        jmp ROUNDS(n)
%assign n n + 1
%endrep
.over_4:
        cmp C, 8
        ja .long
        TAIL_COUNTERS rcx
        jmp NAME(keystream_rounds) %+ .over_4
.long:
        add FIRST, 16
        ret

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
        sub FIRST, 16
        cmp C, 4
        ja .over_4
        je .rounds_4
        cmp C, 2
        ja .rounds_3
        je .rounds_2
        jmp .rounds_1
.over_4:
        cmp C, 6
        jb .rounds_5
        je .rounds_6
        cmp C, 8
        jb .rounds_7
        jmp .rounds_8

%assign n 8
%rep 9
%if n == 8 || n <= VG_UNROLLED
.again_ %+ n:
        ROUND n + 1, [LAST_KEY + FIRST]
%if n == 8
%assign other VG_UNROLLED + 1
%rep 8 - VG_UNROLLED
.rounds_ %+ other:
%assign other other + 1
%endrep
%else
.rounds_ %+ n:
%endif
        ROUND n + 1, [LAST_KEY + FIRST + 16]
        add FIRST, 32
        jnz .again_ %+ n
        LAST_ROUND n + 1
        ret
%endif
%assign n n - 1
%endrep
