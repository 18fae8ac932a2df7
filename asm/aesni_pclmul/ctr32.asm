; vg_ctr32_to_<variant>: counter mode over whole blocks
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t counter[16], const uint8_t *src, uint8_t *dst, size_t n);
;
; In       rdi=gcm  rsi=counter[16]  rdx=src[16*n]  r8=n, at least 1
; Out      rcx=dst[16*n]; counter advanced by n (low 32 bits, big-endian, wraps)
; Overlap  dst == src, or disjoint
; Secret   *gcm, *counter, src, dst: never in an address or a branch
; Public   pointers, n
; Needs    aes ssse3, and avx in VEX encoding
; Clobber  rcx rdx rsi rdi r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    16 bytes

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"

extern NAME(clear_secrets)
extern NAME(ctr_blocks)

%define COUNTER r11

FUNCTION NAME(ctr32_to)
        mov C, r8
        mov SRC, rdx
        mov DST, rcx
        mov COUNTER, rsi
        LOADU NUMBER, [COUNTER]
        REVERSE NUMBER
        KEYS_BEGIN
.next:
        mov edx, 8
        cmp C, rdx
        cmovb edx, r10d
        call NAME(ctr_blocks)
        sub C, rdx
        jnz .next
        REVERSE NUMBER
        STOREU [COUNTER], NUMBER
%if VG_WIPE
        jmp NAME(clear_secrets)
%else
        ret
%endif
