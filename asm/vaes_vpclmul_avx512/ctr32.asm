; vg_ctr32_to_<variant>: counter mode over whole blocks
;
;   void f(const struct vg_aes_gcm *gcm, uint8_t counter[16], const uint8_t *src, uint8_t *dst, size_t n);
;
; In       rdi=gcm  rsi=counter[16]  rdx=src[16*n]  r8=n, at least 1
; Out      rcx=dst[16*n]; counter advanced by n (low 32 bits, big-endian, wraps)
; Overlap  dst == src, or disjoint
; Secret   *gcm, *counter, src, dst: never in an address or a branch
; Public   pointers, n
; Needs    avx512f avx512bw avx512vl vaes
; Clobber  rcx rdx rsi rdi r8-r11 zmm0-zmm9 zmm25 zmm27 k1 flags; vector registers that held secrets are cleared
; Stack    8 bytes

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "lanes512.inc"
%include "blocks512.inc"

extern NAME(group_text)

FUNCTION NAME(ctr32_to)
        mov N, r8
        mov COUNTER, rsi
        mov DST, rcx
        mov SRC, rdx
        BLOCKS_BEGIN
        jmp .begin
.group:
        call NAME(group_text)
        GROUP_DONE
        jz .done
.begin:
        cmp N, 1
        ja .many
        COUNT_ONE
.only_round:
        vaesenc x(0), x(0), [LAST_KEY + FIRST]
        add FIRST, 16
        jnz .only_round
        ONE_TEXT
        jmp .done
.many:
        COUNT STRIDE
        mov RI, FIRST
.round:
        ROUND STRIDE, [LAST_KEY + RI]
        add RI, 16
        jnz .round
        cmp N, 4 * STRIDE
        jae .group

        TEXT_MASK_OF_N
        mov ecx, N_D
        vbroadcasti32x4 z(RK), [LAST_KEY]
%assign v 0
%rep STRIDE
        VECTOR_TEXT v
%if v < STRIDE - 1
        sub ecx, 4
        jbe .done
%endif
%assign v v + 1
%endrep
.done:
        BLOCKS_END
        CLEAR_VECTORS 0, T0
        CLEAR_VECTORS NUMS, NUMS
        vzeroupper
        ret
