; vg_hash_text_<variant>: end the hash of a message, or a part of it, with the last vectors of its text
;
;   An inner function: a register contract of its own.
;
; In       POW  AT  rsi=n-1 for n = 2..STRIDE vectors at TEXT, zeros behind an odd one  ACC  LEN  REV  NUMS
; Out      x(ACC_H)=the hash, in the byte order of memory
; Secret   table at POW, TEXT, ACC
; Public   POW, AT, rsi, LEN
; Needs    avx2 avx512f avx512bw avx512vl vpclmulqdq
; Clobber  [rcx rsi] z(T0) z(T1) z(T2) z(T3) z(T4) z(T5) z(ACC_L) z(ACC_M) z(ACC_H) zmm16 zmm17 [zmm18-zmm23] flags
; Stack    0 bytes
;
; vg_hash_vector_<variant>: the same with one vector, at T2 and byte-reversed
;
;   An inner function: a register contract of its own.
;
; In       POW  AT  T2  ACC  LEN  REV  NUMS
; Out      x(ACC_H)=the hash, in the byte order of memory
; Secret   table at POW, T2, ACC
; Public   POW, AT, LEN
; Needs    avx2 avx512f avx512bw avx512vl vpclmulqdq
; Clobber  [rcx] z(T0) z(T1) z(T2) z(T3) z(T4) z(ACC_L) z(ACC_M) z(ACC_H) [flags]
; Stack    0 bytes

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"

INNER NAME(hash_text)
%assign v 0
%rep STRIDE / 2
%assign text TEXT + v
%assign next TEXT + v + 1
        vmovdqu64 z(T0), [POW + AT - 32 + 64 * v]
        vmovdqu64 z(T1), [POW + AT - 32 + 64 * v + 64]
        vpshufb z(T2), z(text), z(REV)
        vpshufb z(T5), z(next), z(REV)
        SUM_PAIR text, T0, T1, T3
        PAIR_BEGIN [POW + AT - 32 + 64 * v], [POW + AT - 32 + 64 * v + 64]
        PAIR_END text, [POW + AT - 32 + 64 * v + 64]
%assign v v + 2
%if v < STRIDE
        sub esi, 2
        jb .hashed
%endif
%endrep
.hashed:
        CLEAR_VECTORS TEXT, TEXT + STRIDE - 1
        jmp reduce

INNER NAME(hash_vector)
        MULTIPLY_ADD [POW + AT - 32]
reduce:
        REDUCE z
        FOLD
%if LENGTH_ALONE
        cmp AT, 32 - 64 * STRIDE        ; as last_state has it, and a text that has one block less
        jne .done
        lea ecx, [LEN - 1]
        and ecx, 64 * STRIDE - 16
        cmp ecx, 64 * STRIDE - 16
        jne .done
        vpxord x(ACC_H), x(ACC_H), x(NUMS)
        vmovdqu x(T0), [POW - 16]
        MULTIPLY x(ACC_H), x(T0), x
        REDUCE x
.done:
%endif
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        ret
