; vg_hash_aad_<variant>: hash the AAD up to its last block
;
;   An inner function: a register contract of its own.
;
; In       POW, rdx=aad[rcx], rcx >= 1
; Out      T0 = the last block of the AAD, byte-reversed, and the hash of all before it: to be multiplied; lane 1 is zero
; Secret   table at POW, aad
; Public   POW, rdx, rcx
; Needs    avx avx2 vpclmulqdq
; Clobber  rcx rdx xmm0 T2 ACC_L ACC_M ACC_H T0 T1 Y flags
; Stack    24 bytes

%include "abi.inc"
%include "layout.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"

extern NAME(hash_blocks)
extern NAME(load_partial)

INNER NAME(hash_aad)
        vpxor xmm0, xmm0, xmm0
        cmp rcx, 16
        jbe .last
        push rcx
        dec rcx
        shr rcx, 4
        vpxor xmm15, xmm15, xmm15
        call NAME(hash_blocks)
        pop rcx
        dec ecx
        and ecx, 15
        inc ecx
        vmovdqa xmm0, xmm15
.last:
        cmp ecx, 16
        je .whole
        call NAME(load_partial)
        jmp .loaded
.whole:
        vmovdqu xmm13, [rdx]
.loaded:
        vpshufb xmm13, xmm13, [NAME(constants) + BYTE_REVERSE]
        vpxor xmm13, xmm13, xmm0
        ret
