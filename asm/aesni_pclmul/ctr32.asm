; vg_ctr32_to_<variant>: counter mode over whole blocks
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t counter[16], const uint8_t *src, uint8_t *dst, size_t n);
;
; In       rdi=gcm  rsi=counter[16]  rdx=src[16*n]  r8=n, at least 1
; Out      rcx=dst[16*n]; counter advanced by n (low 32 bits, big-endian, wraps)
; Overlap  dst == src, or disjoint
; Secret   *gcm, src, dst: never in an address or a branch
; Public   pointers, n, *counter
; Needs    aes ssse3, and avx in VEX encoding
; Clobber  rcx rsi rdi r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    0 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"
%include "blocks128.inc"
%include "message128.inc"

%define COUNTER r10

FUNCTION NAME(ctr32_to)
        mov COUNTER, rsi
        mov DST, rcx
        mov r11, r8
        mov SRC, rdx
%define N r11
        LOADU NUMBER, [COUNTER]
        REVERSE NUMBER
        KEYS_BEGIN
.group:
        NUMBERS
        mov RI, FIRST
.round:
        ROUND 8, [LAST_KEY + RI]
        add RI, 16
        jnz .round
        LAST_ROUND 8
        cmp N, 8
        jb .tail
        GROUP_TEXT
        ADDD NUMBER, [NAME(constants) + ADDS + 16 * 8]
        sub SRC, -128
        sub DST, -128
        sub N, 8
        jnz .group
        jmp .done
.tail:
        TAIL_BLOCKS .stored
.stored:
        LOADD T0, r11d
        ADDD NUMBER, T0
.done:
        REVERSE NUMBER
        STOREU [COUNTER], NUMBER
        CLEAR_SECRETS
        ret
