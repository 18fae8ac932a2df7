; vg_load_last_<variant>: load the last, partial block of a text, zeros behind
;
;   An inner function: a register contract of its own.
;
; In       rdx=end of the text, up to whole blocks  rcx=bytes that the last one lacks, 1 to 15  rdi=len
; Out      T0=the bytes
; Secret   the bytes
; Public   rdx, rcx, len
; Needs    ssse3, and avx in VEX encoding
; Clobber  rdx T0 T1 T2 flags
; Stack    16 bytes
;
; Of a text of 16 bytes or more, its last 16 are loaded, and those of the block before shifted out.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"

extern NAME(load_partial)

INNER NAME(load_last)
        cmp rdi, 16
        jb .first
        sub rdx, rcx
        LOADU T0, [rdx - 16]
        lea rdx, [NAME(constants) + WINDOW]
        LOADU T1, [rdx + rcx]
        SHUFB T0, T1
        ret
.first:
        push rcx
        sub rdx, 16
        neg ecx
        add ecx, 16
        call NAME(load_partial)
        pop rcx
        ret
