; vg_xor_text_<variant>: xor a short text with its keystream
;
;   An inner function: a register contract of its own.
;
; In       SRC=text  rcx=len, 1 to 128  C=blocks  rdi=text, of the last block alone  xmm1 to xmm8: as from vg_keystream
; Out      DST=text
; Secret   text, xmm1 to xmm8
; Public   SRC, DST, rdi, len
; Needs    ssse3, and avx in VEX encoding
; Clobber  rcx rdx rsi rdi xmm1-xmm9 T0 T1 T2 flags
; Stack    24 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "message128.inc"

extern NAME(load_last)
extern NAME(store_partial)

%define TEXT_AT rdi
%define END     rsi                     ; of the text, up to whole blocks

INNER NAME(xor_text)
        mov esi, r10d
        shl esi, 4
        lea rdx, [TEXT_AT + END]
        mov edi, ecx
        neg ecx
        add ecx, esi
        jnz .partial
        LOADU TEXT, [rdx - 16]
.loaded:
%assign n 1
%rep 7
        cmp C, n
        je .block_ %+ n
%assign n n + 1
%endrep
%rep 7
.block_ %+ n:
        XORTEXT xmm %+ n, [SRC + END - 16 * n], T0
        STOREU [DST + END - 16 * n], xmm %+ n
%assign n n - 1
%endrep
.block_1:
        XOR LAST, TEXT
        test ecx, ecx
        jnz .store_partial
        STOREU [DST + END - 16], LAST
        ret

.partial:
        call NAME(load_last)
        LOADA TEXT, T0
        jmp .loaded
.store_partial:
        LOADA T0, LAST
        neg ecx
        add ecx, 16
        lea rdx, [DST + END - 16]
        jmp NAME(store_partial)
