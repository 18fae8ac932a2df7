; vg_hash_blocks_<variant>: continue a GHASH state over whole blocks
;
;   An inner function: a register contract of its own.
;
; In       POW  rdx=data[16*n]  rcx=n, at least 1  x(ACC_H)=state, byte-reversed  REV
; Out      x(ACC_H)=state, zeros above; rdx past the data
; Secret   table at POW, data, state
; Public   POW, rdx, n
; Needs    avx2 avx512f avx512bw avx512vl vpclmulqdq
; Clobber  rcx rdx rsi z(T0) z(T1) z(T2) z(T3) z(T4) [z(T5)] z(ACC_L) z(ACC_M) z(ACC_H) [zmm20-zmm23] k1 k3 flags
; Stack    16 bytes
;
; Groups of up to STRIDE vectors, the odd one first, and in it the odd vector: its blocks lie at the upper end, the
; state where they begin.

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"

extern NAME(multiply_h)

INNER NAME(hash_blocks)
        cmp rcx, 1
        je .one
        push rbx
        push r8
        lea ebx, [rcx - 1]
        and ebx, 4 * STRIDE - 1
        inc ebx                         ; blocks of the first group
        mov r8, rcx
        sub r8, rbx                     ; blocks behind it
        lea ecx, [rbx - 1]
        not ecx
        and ecx, 3                      ; blocks that its first vector lacks
        add ebx, ecx
        shl ecx, 1
        mov esi, 0xff
        shl esi, cl
        kmovd k1, esi
        mov esi, 3
        shl esi, cl
        kmovd k3, esi
        shl ecx, 3
        sub rdx, rcx
        shl rbx, 4
        neg rbx
.group:
        vshufi64x2 z(T3), z(ACC_H), z(ACC_H), 0
        vmovdqu64 z(T2){k1}{z}, [rdx]
        vpshufb z(T2), z(T2), z(REV)
        vpxorq z(T2){k3}, z(T2), z(T3)
        ACC_ZERO
        test ebx, 64
        jz .pair
        MULTIPLY_ADD [POW + rbx]
        add rdx, 64
        add rbx, 64
        jz .reduce
        vmovdqu64 z(T2), [rdx]
        vpshufb z(T2), z(T2), z(REV)
.pair:
        vmovdqu64 z(T5), [rdx + 64]
        vpshufb z(T5), z(T5), z(REV)
        vmovdqu64 zmm20, [POW + rbx]
        vmovdqu64 zmm21, [POW + rbx + 64]
        SUM_PAIR 22, 20, 21, 23
        PAIR_BEGIN zmm20, zmm21
        PAIR_END 22, zmm21
        add rdx, 128
        add rbx, 128
        jz .reduce
        vmovdqu64 z(T2), [rdx]
        vpshufb z(T2), z(T2), z(REV)
        jmp .pair
.reduce:
        REDUCE z
        FOLD
        mov ecx, 0xff
        kmovd k1, ecx
        mov ecx, 3
        kmovd k3, ecx
        mov rbx, -64 * STRIDE
        sub r8, 4 * STRIDE
        jae .group
        pop r8
        pop rbx
        ret

.one:
        vmovdqu x(T2), [rdx]
        add rdx, 16
        vpshufb x(T2), x(T2), x(REV)
        vpxor x(ACC_H), x(ACC_H), x(T2)
        jmp NAME(multiply_h)
