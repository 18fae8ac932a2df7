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
; Clobber  rcx rdx rsi rdi r8-r11 zmm0 zmm1 [zmm2-zmm7] zmm8-zmm16 zmm24-zmm31 k1 flags; vector registers that held secrets are cleared
; Stack    8 bytes

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "lanes512.inc"
%include "blocks512.inc"
%include "message512.inc"

extern NAME(count)
extern NAME(group_text)
extern NAME(clear_lanes)

FUNCTION NAME(ctr32_to)
        mov DST, rcx
        COUNTER_BEGIN
        mov SRC, rdx
        KEYS_BEGIN
        cmp LEN, 16
        jbe .one
        jmp .next

.group:
        mov ecx, STRIDE - 1
        call NAME(count)
        mov RI, FIRST
.group_round:
        ROUND STRIDE, [LAST_KEY + RI]
        add RI, 16
        jnz .group_round
        call NAME(group_text)
        vpaddd z(NUMS), z(NUMS), [NAME(wide) + WIDE_STEP]
        sub LEN, 64 * STRIDE
        jz .done
.next:
        cmp LEN, 64 * STRIDE
        jae .group

        ; One vector after the other: they do not wait for one another.
        lea AT, [NAME(wide) + WIDE_ADDS]
        mov rcx, -1
        kmovq TEXT_MASK, rcx
.vector:
        vpaddd z(0), z(NUMS), [AT]
        vpshufb z(0), z(0), z(REV)
        vbroadcasti32x4 z(RK), [LAST_KEY + FIRST - 16]
        vpxorq z(0), z(0), z(RK)
        mov RI, FIRST
.round:
        ROUND 1, [LAST_KEY + RI]
        add RI, 16
        jnz .round
        cmp LEN, 64
        jae .text
        mov ecx, LEN_D
        mov r11, -1
        shl r11, cl
        not r11
        kmovq TEXT_MASK, r11
.text:
        vmovdqu8 z(T0){TEXT_MASK}{z}, [SRC]
        vbroadcasti32x4 z(RK), [LAST_KEY]
        vpxorq z(T0), z(T0), z(RK)
        vaesenclast z(0), z(0), z(T0)
        vmovdqu8 [DST]{TEXT_MASK}, z(0)
        add SRC, 64
        add DST, 64
        add AT, 64
        sub LEN, 64
        ja .vector
        jmp .done

        ; A narrow load finds what was stored just before in pieces.
.one:
        vpshufb x(0), x(NUMS), x(REV)
        vpxor x(0), x(0), [LAST_KEY + FIRST - 16]
.one_round:
        vaesenc x(0), x(0), [LAST_KEY + FIRST]
        add FIRST, 16
        jnz .one_round
        vmovdqu x(T0), [SRC]
        vpxor x(T0), x(T0), [LAST_KEY]
        vaesenclast x(0), x(0), x(T0)
        vmovdqu [DST], x(0)
.done:
        CLEAR_VECTORS NUMS, NUMS
        jmp NAME(clear_lanes)
