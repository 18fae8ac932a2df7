; vg_ctr32_to_<variant>: counter mode over whole blocks
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t counter[16], const uint8_t *src, uint8_t *dst, size_t n);
;
; In       rdi=gcm  rsi=counter[16]  rdx=src[16*n]  r8=n, at least 1
; Out      rcx=dst[16*n]; counter advanced by n (low 32 bits, big-endian, wraps)
; Overlap  dst == src, or disjoint
; Secret   *gcm, *counter, src, dst: never in an address or a branch
; Public   pointers, n
; Needs    ssse3 avx avx2 vaes
; Clobber  rcx rdx rsi rdi r8-r11 ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    16 bytes

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"
%include "lanes256.inc"
%include "blocks256.inc"

extern NAME(numbers)
extern NAME(numbers_tail)
extern NAME(keystream)
extern NAME(keystream_of)
extern NAME(group_text)
extern NAME(crypt_text)

%define COUNTER rsi

FUNCTION NAME(ctr32_to)
        mov N, r8
        mov DST, rcx
        mov SRC, rdx
        LOAD_NUMBER r10d
        KEYS256
        shl N, 4
        jmp .count
.group:
        call NAME(numbers)
        call NAME(keystream)
        call NAME(group_text)
        sub N, GROUP_BYTES
.count:
        cmp N, GROUP_BYTES
        ja .group
        call NAME(numbers_tail)
        call NAME(keystream_of)
        call NAME(crypt_text)
        CLEAR_SECRETS
        ret
