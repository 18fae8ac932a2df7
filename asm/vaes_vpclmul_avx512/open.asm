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
; Clobber  rax rcx rdx rsi rdi r8-r11 zmm0-zmm31 k1-k3 flags; vector registers that held secrets are cleared
; Stack    base 16 * WIDE_POWERS + 248 bytes, prepared 40 bytes; the table is cleared
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

extern NAME(first_block)
extern NAME(last_state)
%if LENGTH_ALONE
extern NAME(length_alone)
%endif
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
        mov LAST_AT, SRC
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

        ONLY_GROUP
%if WIDE_POWERS > 4 * STRIDE + 1
        lea AT, [LEN + 15]
        and AT, -16
        neg AT
        MULTIPLY_ENDS [POW + AT - 32]
        test LEN, LEN
        jz .short_0
        LAST_VECTOR
        LAST_POWERS
        jmp .last
%else
        STATE_OF_FIRST
        test LEN, LEN
        jz .short_0
%endif
.last_state:
        LAST_VECTOR
        call NAME(last_state)
.last:
        lea ecx, [LEN - 1]
        and ecx, 64 * STRIDE - 1
        shr ecx, 6
%if STRIDE > 4
        cmp ecx, 4
        jb .last_under_5
        je .last_5
        cmp ecx, 6
        jb .last_6
        je .last_7
        jmp .last_8
.last_under_5:
%endif
%if STRIDE > 2
        cmp ecx, 2
        jb .last_under_3
        je .last_3
        jmp .last_4
.last_under_3:
%endif
        test ecx, ecx
        jnz .last_2

%assign n 1
%rep STRIDE
.last_ %+ n:
        NUMBERS n
%assign j n - 1
%rep n
%assign text TEXT + STRIDE - 1 - j
%if j == 0
        vmovdqu8 z(text){TEXT_MASK}{z}, [LAST_AT]
%else
        vmovdqu64 z(text), [LAST_AT - 64 * j]
%endif
%assign j j - 1
%endrep
        mov RI, FIRST
.last_round_ %+ n:
        ROUND n, [LAST_KEY + RI], E0
        add RI, 16
        jnz .last_round_ %+ n
        vbroadcasti32x4 z(RK), [LAST_KEY]
        vaesenclast x(E0), x(E0), x(RK)
%assign lane STRIDE - n
%rep n
%assign text TEXT + lane
        vpxorq z(T0), z(RK), z(text)
        vaesenclast z(lane), z(lane), z(T0)
%assign lane lane + 1
%endrep
        call .hash_ %+ n
        jc .done
%assign j 0
%rep n - 1
%assign lane STRIDE - n + j
        vmovdqu64 [DST + 64 * j], z(lane)
%assign j j + 1
%endrep
%assign lane STRIDE - 1
        vmovdqu8 [DST + 64 * j]{TEXT_MASK}, z(lane)
        jmp .done
%assign n n + 1
%endrep

.short_0:
%if WIDE_POWERS <= 4 * STRIDE + 1
        STATE_TO_ENDS
        MULTIPLY_ENDS [POW - 16]
%endif
.short_round_0:
        vaesenc x(E0), x(E0), [LAST_KEY + FIRST]
        add FIRST, 16
        jnz .short_round_0
        vaesenclast x(E0), x(E0), [LAST_KEY]
        call .hash_0
.done:
        CLEAR_SECRETS
        ret

.long:
        STATE_OF_FIRST
        GROUPS_BEGIN
        HALVES_BEGIN
        lea GROUPS, [LEN - 1]
        shr GROUPS, STRIDE_SHIFT
align 32
.group:
        NEXT_GROUP
        NUMBERS STRIDE
        GROUP_STITCHED SRC
        lea RI, [FIRST + 144]
        test RI, RI
        jz .group_text
.more_rounds:
        ROUND STRIDE, [LAST_KEY + RI]
        add RI, 16
        jnz .more_rounds
.group_text:
        GROUP_TEXT
        add SRC, 64 * STRIDE
        add DST, 64 * STRIDE
        dec GROUPS
        jnz .group
        NEXT_GROUP
        jmp .last_state

.long_aad:
        call NAME(first_block)
        jmp .no_aad

; Hash the last n vectors and compare tags: eax = verdict; carry if it is VG_VERDICT_UNTOUCHED.
%assign i 0
%rep STRIDE
%assign n STRIDE - i
%assign text TEXT + i
.hash_ %+ n:
        vpshufb z(T0), z(text), z(REV)
        MULTIPLY_ADD z(T0), [POW + AT - 32 - 64 * (STRIDE - 1 - i)]
%assign i i + 1
%endrep
.hash_0:
        REDUCE z
        FOLD
%if LENGTH_ALONE
        test LEN, LEN
        jz .verdict
        lea ecx, [LEN - 1]
        and ecx, 64 * STRIDE - 16
        cmp ecx, 64 * STRIDE - 16
        jne .verdict
        call NAME(length_alone)
.verdict:
%endif
        mov rcx, [rsp + 24]
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        vpxord x(ACC_H), x(ACC_H), x(E0)
        vpcmpeqb x(ACC_H), x(ACC_H), [rcx]
        vpmovmskb ecx, x(ACC_H)
        xor eax, eax
        xor ecx, 0xffff                 ; clears carry
        jz .good
        mov eax, 1
        cmp LEN, 64 * STRIDE + 1
        jb .good                        ; carry: nothing was written
        mov eax, 2
        clc
.good:
        ret
