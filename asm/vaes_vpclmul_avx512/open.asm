; vg_open_<variant>_<form>: check the tag of a whole message with a nonce of 12 bytes, and decrypt it
;
;   uint32_t f(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
;              const uint8_t *src, uint8_t *dst, size_t len, const uint8_t tag[16]);
;
; In       rdi=gcm  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  r8=src[len]  [rsp+8]=len  [rsp+16]=tag[16]
; Out      eax=verdict; r9=dst[len], untouched if the verdict is VG_VERDICT_UNTOUCHED
; Overlap  dst == src, or disjoint; tag apart from dst
; Secret   *gcm, aad, src, dst: never in an address or a branch, but for the verdict
; Public   pointers, lengths, nonce, tag, verdict
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 zmm0 zmm1 [zmm2-zmm7] zmm8-zmm17 [zmm18-zmm23] zmm24-zmm31 k1-k3 flags; vector registers that held secrets are cleared
; Stack    base 16 * WIDE_POWERS + 312 bytes, prepared 40 bytes; the table is cleared
;
; A text of up to STRIDE vectors waits in registers, and is written if the tag is right. A longer one is decrypted in
; groups that are hashed meanwhile; the last 1 to STRIDE vectors of it go as a short text does.

%include "abi.inc"
%include "layout512.inc"
%include "constants.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"
%include "lanes512.inc"
%include "stitched512.inc"
%include "message512.inc"

%define VECTORS r11d                    ; of the last of a text, less one

extern NAME(first_block)
extern NAME(last_state)
extern NAME(group)
extern NAME(group_text)
extern NAME(hash_text)
extern NAME(hash_vector)
%if !VG_CONTEXT_PREPARED
extern NAME(message_powers)
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(open) %+ _prepared
        mov LEN, [rsp + 8]
        lea POW, [rdi + GCM_POW]
        jmp open
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(open) %+ _base
        mov LEN, [rsp + 8]
        TABLE_BEGIN
        call NAME(message_powers)
        push qword [rbp + 24]
        push qword [rbp + 16]
        call open
        TABLE_END
%endif

align 32
open:
        MESSAGE_BEGIN
        test rcx, rcx
        jz .no_aad
        cmp rcx, 16
        ja .long_aad
        ONE_BLOCK_OF_AAD
.no_aad:
        KEYS_BEGIN
        cmp LEN, 64 * STRIDE
        ja .long

        test LEN, LEN
        jz .short_0
        TEXT_MASK_OF_LEN
%if WIDE_POWERS > 4 * STRIDE + 1
        FIRST_TO_ENDS
%else
        STATE_OF_FIRST
        call NAME(last_state)
%endif
        cmp LEN, 64
        ja .short_over_1

        NUMBERS 1
        vmovdqu8 z(TEXT){TEXT_MASK}{z}, [SRC]
        ROUNDS_1_TO_9 1
        vpshufb z(T2), z(TEXT), z(REV)
        add FIRST, 144
        jz .short_text_1
.short_round_1:
        ROUND 1, [LAST_KEY + FIRST], E0
        add FIRST, 16
        jnz .short_round_1
.short_text_1:
        vbroadcasti32x4 z(RK), [LAST_KEY]
        vaesenclast x(E0), x(E0), x(RK)
        vpxorq z(T5), z(RK), z(TEXT)
        vaesenclast z(0), z(0), z(T5)
        call NAME(hash_vector)
        call .verdict
        jc .done_1
        vmovdqu8 [DST]{TEXT_MASK}, z(0)
        jmp .done_1

.short_over_1:
        cmp LEN, 64 * (STRIDE - 1)
        jbe .last
        ONLY_GROUP

; The last vectors of a text. POW + AT - 32 is where their powers begin.
.last:
        lea VECTORS, [LEN - 1]
        and VECTORS, 64 * STRIDE - 1
        shr VECTORS, 6
        mov RI, FIRST
%if STRIDE > 2
        cmp VECTORS, 2
        jb .last_2
%if STRIDE > 4
        cmp VECTORS, 4
        jb .last_4
        cmp VECTORS, 6
        jb .last_6
        jmp .last_8
%else
        jmp .last_4
%endif
%endif

%assign n 2
%rep STRIDE / 2
.last_ %+ n:
        NUMBERS n
.last_round_ %+ n:
        ROUND n, [LAST_KEY + RI], E0
        add RI, 16
        jnz .last_round_ %+ n
%if n < STRIDE
        jmp .text
%endif
%assign n n + 2
%endrep
.text:
        vbroadcasti32x4 z(RK), [LAST_KEY]
        vaesenclast x(E0), x(E0), x(RK)
        mov ecx, VECTORS
        mov esi, VECTORS
%assign lane 0
%rep STRIDE - 1
%assign text TEXT + lane
        sub ecx, 1
        jb .text_ %+ lane
        vmovdqu64 z(text), [SRC + 64 * lane]
        vpxorq z(T0), z(RK), z(text)
        vaesenclast z(lane), z(lane), z(T0)
%assign lane lane + 1
%endrep
%rep STRIDE
.text_ %+ lane:
%assign text TEXT + lane
        vmovdqu8 z(text){TEXT_MASK}{z}, [SRC + 64 * lane]
        vpxorq z(T0), z(RK), z(text)
        vaesenclast z(lane), z(lane), z(T0)
%if lane % 2 == 0
%assign text TEXT + lane + 1
        vpxorq x(text), x(text), x(text)
%endif
%if lane > 0
        jmp .hash
%endif
%assign lane lane - 1
%endrep
.hash:
        call NAME(hash_text)
        call .verdict
        jc .done
%assign lane 0
%rep STRIDE - 1
        sub VECTORS, 1
        jb .store_ %+ lane
        vmovdqu64 [DST + 64 * lane], z(lane)
%assign lane lane + 1
%endrep
%rep STRIDE
.store_ %+ lane:
        vmovdqu8 [DST + 64 * lane]{TEXT_MASK}, z(lane)
%if lane > 0
        jmp .done
%endif
%assign lane lane - 1
%endrep
.done:
        CLEAR_VECTORS 1, STRIDE - 1
        CLEAR_VECTORS NUMS, NUMS
.done_1:
        CLEAR_MESSAGE
        ret

.short_0:
%if WIDE_POWERS > 4 * STRIDE + 1
        MULTIPLY_ENDS [POW - 32]
%else
        STATE_OF_FIRST
        STATE_TO_ENDS
        MULTIPLY_ENDS [POW - 16]
%endif
.short_round_0:
        vaesenc x(E0), x(E0), [LAST_KEY + FIRST]
        add FIRST, 16
        jnz .short_round_0
        vaesenclast x(E0), x(E0), [LAST_KEY]
        REDUCE z
        FOLD
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        call .verdict
        jmp .done

.long:
        STATE_OF_FIRST
        GROUPS_BEGIN
        SUMS_BEGIN
        lea GROUPS, [LEN - 1]
        shr GROUPS, STRIDE_SHIFT
align 32
.group:
        NEXT_GROUP
        NUMBERS STRIDE
        mov HASHED, SRC
        call NAME(group)
        call NAME(group_text)
        dec GROUPS
        jnz .group
        NEXT_GROUP
        TEXT_MASK_OF_LEN
        call NAME(last_state)
        jmp .last

.long_aad:
        call NAME(first_block)
        jmp .no_aad

; Compare tags: eax = verdict; carry if it is VG_VERDICT_UNTOUCHED.
.verdict:
        mov rcx, [rsp + 24]
        vpxord x(ACC_H), x(ACC_H), x(E0)
        vpcmpeqb x(ACC_H), x(ACC_H), [rcx]
        vpmovmskb ecx, x(ACC_H)
        xor eax, eax
        xor ecx, 0xffff                 ; clears carry
        jz .good
%if VG_WIPE
        xor ecx, ecx                    ; it tells which bytes are right
%endif
        mov eax, 1
        cmp LEN, 64 * STRIDE + 1
        jb .good                        ; carry: nothing was written
        mov eax, 2
        clc
.good:
        ret
