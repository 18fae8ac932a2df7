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
; Stack    base 16 * WIDE_POWERS + 320 bytes, prepared 48 bytes; the table is cleared
;
; A text of up to STRIDE vectors waits in registers, and is written if the tag is right. A longer one is decrypted in
; groups that are hashed meanwhile; the last 1 to STRIDE vectors of it go as a short text does.

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"
%include "lanes512.inc"
%include "message512.inc"

extern NAME(message_begin)
extern NAME(long_begin)
extern NAME(keystream)
extern NAME(keystream_1)
extern NAME(group_numbers)
extern NAME(group)
extern NAME(group_text)
extern NAME(last_state)
extern NAME(open_text)
extern NAME(open_text_1)
extern NAME(open_store)
extern NAME(clear_lanes)
extern NAME(clear_message)
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

open:
        call NAME(message_begin)
        ja .long
        jz .no_text
        cmp LEN, 64
        ja .last
        call NAME(keystream_1)
        call NAME(open_text_1)
        call .verdict
        jc NAME(clear_message)
        vmovdqu8 [DST]{TEXT_MASK}, z(0)
        jmp NAME(clear_message)

.no_text:
        call .verdict
        jmp NAME(clear_message)

.long:
        call NAME(long_begin)
align 32
.group:
        call NAME(group_numbers)
        mov HASHED, SRC
        call NAME(group)
        call NAME(group_text)
        dec GROUPS
        jnz .group
        NEXT_GROUP
        TEXT_MASK_OF_LEN
        CLEAR_GROUPS
        call NAME(last_state)

; The last vectors of a text.
.last:
        lea ecx, [LEN - 1]
        and ecx, 64 * STRIDE - 1
        shr ecx, 6
        call NAME(keystream)
        call NAME(open_text)
        call .verdict
        jc NAME(clear_lanes)
        call NAME(open_store)
        jmp NAME(clear_lanes)

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
