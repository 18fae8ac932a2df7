; vg_first_block_<variant>: hash a long AAD up to its last block
;
;   An inner function: a register contract of its own.
;
; In       POW  rdx=aad[aad_len]  rcx=aad_len, at least 17  REV
; Out      x(T0)=the last block of the AAD, byte-reversed, with the state of all before it
; Secret   table at POW, aad
; Public   POW, rdx, aad_len
; Needs    avx512f avx512bw avx512vl vpclmulqdq
; Clobber  rcx rdx rsi z(T0) z(T1) z(T2) z(T3) z(T4) [z(T5)] z(ACC_L) z(ACC_M) z(ACC_H) [zmm20-zmm23] k1 k3 flags
; Stack    32 bytes

%include "abi.inc"
%include "layout512.inc"
%include "registers512.inc"

extern NAME(hash_blocks)

INNER NAME(first_block)
        push rcx
        dec rcx
        shr rcx, 4
        vpxor x(ACC_H), x(ACC_H), x(ACC_H)
        call NAME(hash_blocks)
        CLEAR_VECTORS 20, 23
        pop rcx
        dec ecx
        and ecx, 15
        mov esi, 2
        shl esi, cl
        dec esi
        kmovd k1, esi
        vmovdqu8 x(T0){k1}{z}, [rdx]
        vpshufb x(T0), x(T0), x(REV)
        vpxor x(T0), x(T0), x(ACC_H)
        ret
