; vg_ctr32_to_<variant>: counter mode over whole blocks
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t counter[16], const uint8_t *src, uint8_t *dst, size_t n);
;
; In       rdi=gcm  rsi=counter[16]  rdx=src[16*n]  r8=n, at least 1
; Out      rcx=dst[16*n]; counter advanced by n (low 32 bits, big-endian, wraps)
; Overlap  dst == src, or disjoint
; Secret   *gcm, *counter, src, dst: never in an address or a branch
; Public   pointers, n
; Needs    ssse3
; Clobber  rax rcx rdx r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    FRAME + 8 bytes; cleared

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "message128.inc"
%include "permute.inc"

%define COUNTER    rsi
%define N          r10
%define LAST_ROUND_KEY r11              ; offset of the last round key
%define KEY        rdx                  ; offset of the next one
%define KEYS       rsp                  ; round keys, in the tower and at the places of their ROW
%define NUMBER     (15 * 16)            ; at rsp: the next counter block, byte-reversed: its number is word 0
%define FRAME      (16 * 16)

; Counter blocks of n blocks through all rounds: keystream in LOW.
%macro KEYSTREAM 1
%assign b 0
%rep %1
        BLOCK b
        LOADA LOW, [rsp + NUMBER]
        ADDD LOW, [NAME(constants) + ADDS + 16 * b]
        REVERSE LOW
%assign b b + 1
%endrep
        TO_TOWER %1
%assign b 0
%rep %1
        BLOCK b
        XOR LOW, [KEYS]
%assign b b + 1
%endrep
        mov edx, 16
%%round:
        mov ecx, edx
        and ecx, 48
        PERMUTE_ROUND %1, [KEYS + KEY]
        add edx, 16
        cmp KEY, LAST_ROUND_KEY
        jne %%round
        mov ecx, edx
        and ecx, 48
        PERMUTE_LAST_ROUND %1, [KEYS + KEY]
%endmacro

FUNCTION NAME(ctr32_to)
        sub rsp, FRAME + 8
        mov N, r8
        mov SRC, rdx
        mov DST, rcx
        PERMUTE_BEGIN
        LOADU xmm0, [COUNTER]
        REVERSE xmm0
        STOREA [rsp + NUMBER], xmm0

        mov r11d, [rdi + GCM_ROUNDS]
        shl r11d, 4
        xor edx, edx
        BLOCK 0
        LOADA LOW, [rdi + GCM_ROUND_KEY]
.key:
        TO_TOWER 1
        mov ecx, edx
        and ecx, 48
        SHUFB LOW, [TABLES + ROW + PLACES]
        STOREA [KEYS + KEY], LOW
        add edx, 16
        LOADA LOW, [rdi + KEY + GCM_ROUND_KEY]
        XOR LOW, [TABLES + S_CONSTANT]
        cmp KEY, LAST_ROUND_KEY
        jne .key
        STOREA [KEYS + KEY], LOW

.group:
        cmp N, 1
        je .one
        KEYSTREAM 4
        cmp N, 4
        jb .tail
%assign b 0
%rep 4
        XORTEXT xmm %+ b, [SRC + 16 * b], T0
        STOREU [DST + 16 * b], xmm %+ b
%assign b b + 1
%endrep
        LOADA T0, [rsp + NUMBER]
        ADDD T0, [NAME(constants) + ADDS + 16 * 4]
        STOREA [rsp + NUMBER], T0
        add SRC, 64
        add DST, 64
        sub N, 4
        jnz .group
        jmp .done
.one:
        KEYSTREAM 1
.tail:
        XORTEXT xmm0, [SRC], T0
        STOREU [DST], xmm0
        cmp N, 2
        jb .stored
        XORTEXT xmm1, [SRC + 16], T0
        STOREU [DST + 16], xmm1
        je .stored
        XORTEXT xmm2, [SRC + 32], T0
        STOREU [DST + 32], xmm2
.stored:
        LOADD T0, r10d
        ADDD T0, [rsp + NUMBER]
        STOREA [rsp + NUMBER], T0
.done:
        LOADA T0, [rsp + NUMBER]
        REVERSE T0
        STOREU [COUNTER], T0
        CLEAR_SECRETS
        WIPE_STACK FRAME
        add rsp, FRAME + 8
        ret
