; vg_load_partial_<variant>: load 1 to 15 bytes, zeros behind, without touching any other byte
;
;   An inner function: a register contract of its own.
;
; In       rdx=data[n]  rcx=n, 1 to 15
; Out      T0=the bytes
; Secret   data
; Public   rdx, n
; Needs    ssse3, and avx in VEX encoding
; Clobber  rcx rdx T0 T1 T2 flags
; Stack    0 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"

; Two overlapping pieces: the first where it is, the second moved down by as much as it overlaps.
INNER NAME(load_partial)
        cmp ecx, 8
        jb .under_8
        LOADQ T0, [rdx]
        LOADQ T1, [rdx + rcx - 8]
        neg rcx
        lea rdx, [NAME(constants) + WINDOW + 16]
        LOADU T2, [rdx + rcx]
        SHUFB T1, T2
        UNPACKQ T0, T1
        ret
.under_8:
        cmp ecx, 4
        jb .under_4
        LOADD T0, [rdx]
        LOADD T1, [rdx + rcx - 4]
        neg rcx
        lea rdx, [NAME(constants) + WINDOW + 8]
        LOADU T2, [rdx + rcx]
        SHUFB T1, T2
        UNPACKD T0, T1
        ret
.under_4:
        cmp ecx, 2
        jae .from_2
        movzx ecx, byte [rdx]
        jmp .in_ecx
.from_2:
        je .just_2
        movzx ecx, byte [rdx + 2]
        shl ecx, 16
        movzx edx, word [rdx]
        or ecx, edx
%if VG_WIPE
        xor edx, edx
%endif
        jmp .in_ecx
.just_2:
        movzx ecx, word [rdx]
.in_ecx:
        LOADD T0, ecx
%if VG_WIPE
        xor ecx, ecx
%endif
        ret

; vg_store_partial_<variant>: store 1 to 15 bytes likewise
;
;   An inner function: a register contract of its own.
;
; In       rcx=n, 1 to 15  T0=the bytes
; Out      rdx=data[n]
; Secret   data
; Public   rdx, n
; Needs    ssse3, and avx in VEX encoding
; Clobber  rcx rdx T0 T1 flags
; Stack    8 bytes

INNER NAME(store_partial)
        cmp ecx, 8
        jb .under_8
        STOREQ [rdx], T0
        lea rdx, [rdx + rcx - 8]
        push rdx
        lea rdx, [NAME(constants) + WINDOW - 8]
        LOADU T1, [rdx + rcx]
        pop rdx
        SHUFB T0, T1
        STOREQ [rdx], T0
        ret
.under_8:
        cmp ecx, 4
        jb .under_4
        STORED [rdx], T0
        lea rdx, [rdx + rcx - 4]
        push rdx
        lea rdx, [NAME(constants) + WINDOW - 4]
        LOADU T1, [rdx + rcx]
        pop rdx
        SHUFB T0, T1
        STORED [rdx], T0
        ret
.under_4:
        cmp ecx, 2
        STORED ecx, T0
        jae .from_2
        mov [rdx], cl
        jmp .done
.from_2:
        mov [rdx], cx
        je .done
        shr ecx, 16
        mov [rdx + 2], cl
.done:
%if VG_WIPE
        xor ecx, ecx
%endif
        ret
