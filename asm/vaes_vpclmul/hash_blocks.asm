; vg_hash_blocks_<variant>: continue a GHASH state over whole blocks
;
;   An inner function: a register contract of its own.
;
; In       POW, rdx=data[16*n], rcx=n, at least 1, Y = state (byte-reversed)
; Out      Y = state; rdx past the data
; Secret   table at POW, data, state
; Public   POW, rdx, rcx
; Needs    avx avx2 vpclmulqdq
; Clobber  rcx rdx T2 ACC_L ACC_M ACC_H T0 T1 Y flags
; Stack    8 bytes

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"

%define I rbp                           ; -16 * the number of the next power

; Groups of at most POWERS blocks, the odd one first; in it the odd block first. One reduction each.
INNER NAME(hash_blocks)
        push rbp
        lea ebp, [rcx - 1]
        and ebp, POWERS - 1
        inc ebp
        sub rcx, I
        shl ebp, 4
        neg I
.group:
        test ebp, 16
        jnz .odd
        vmovdqu T0, [rdx]
        REVERSE256 T0
        vpxor T0, T0, Y
        vmovdqu H, [POW + I]
        PRODUCT T0, 1
        add rdx, 32
        add I, 32
        jz .reduce
.vector:
        vmovdqu T0, [rdx]
        REVERSE256 T0
        vmovdqu H, [POW + I]
        PRODUCT T0, 0
        add rdx, 32
        add I, 32
        jnz .vector
.reduce:
        REDUCE256
        FOLD
        mov I, -16 * POWERS
        sub rcx, POWERS
        jae .group
        pop rbp
        ret
.odd:
        vmovdqu xmm13, [rdx]
        REVERSE256 T0
        vpxor T0, T0, Y
        vmovdqu xmm15, [POW + I]
        PRODUCT T0, 1
        add rdx, 16
        add I, 16
        jz .reduce
        jmp .vector
