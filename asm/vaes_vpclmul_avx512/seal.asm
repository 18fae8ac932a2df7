; vg_seal_<variant>_<form>: encrypt a whole message with a nonce of 12 bytes, and compute its tag
; vg_seal_split_<variant>_<form>: the same for a text whose last vector of 64 bytes or less lies at dst already
;
;   uint32_t f(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
;              const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
;
; In       rdi=gcm  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  r8=src[len]  [rsp+8]=len
; Out      r9=dst[len]; [rsp+16]=tag[16]; eax=status, VG_OK
; Overlap  dst == src, or disjoint; tag apart from dst
; Secret   *gcm, aad, src, dst, tag: never in an address or a branch
; Public   pointers, lengths, nonce
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 zmm0 zmm1 [zmm2-zmm7] zmm8-zmm19 [zmm20-zmm23] zmm24-zmm31 k1-k3 flags; vector registers that held secrets are cleared
; Stack    base 16 * WIDE_POWERS + 320 bytes, prepared 48 bytes; the table is cleared
;
; A text of up to STRIDE vectors is encrypted at once. Of a longer one the first group is encrypted alone; while each
; of the others is, the one before is hashed, and so it is with the last 1 to STRIDE vectors. Their own hash, with the
; state so far and the length block, comes last.

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
extern NAME(rounds)
extern NAME(group_numbers)
extern NAME(group)
extern NAME(group_text)
extern NAME(half_group)
extern NAME(last_state)
extern NAME(text)
extern NAME(text_1)
extern NAME(clear_lanes)
extern NAME(clear_message)
%if !VG_CONTEXT_PREPARED
extern NAME(message_powers)
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(seal) %+ _prepared
        mov LEN, [rsp + 8]
        mov LAST_AT, SRC
        lea POW, [rdi + GCM_POW]
        jmp seal
%if VG_SPLIT || VG_GATHER
FUNCTION NAME(seal_split) %+ _prepared
        mov LEN, [rsp + 8]
        mov LAST_AT, DST
        lea POW, [rdi + GCM_POW]
        jmp seal
%endif
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(seal) %+ _base
        mov LEN, [rsp + 8]
        mov LAST_AT, SRC
%if VG_SPLIT || VG_GATHER
        jmp seal_base
FUNCTION NAME(seal_split) %+ _base
        mov LEN, [rsp + 8]
        mov LAST_AT, DST
seal_base:
%endif
        TABLE_BEGIN
        call NAME(message_powers)
        push qword [rbp + 24]
        push qword [rbp + 16]
        call seal
        TABLE_END
%endif

; vg_seal_slices_<variant>_<form>: the same for a text in slices of multiples of 64 * STRIDE bytes; the last may end anywhere
;
;   uint32_t f(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
;              const struct vg_slice *slices, uint8_t *dst, size_t len, uint8_t tag[16]);
;
; In       rdi=gcm  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  r8=slices  [rsp+8]=len, more than a group;
;          what is no whole group at the end, and the last 16 bytes, are in the last slice
; Out      r9=dst[len]; [rsp+16]=tag[16]; eax=status, VG_OK
; Overlap  each slice lies where its ciphertext goes, or apart from dst; tag apart from dst
; Secret   *gcm, aad, dst, tag: never in an address or a branch, nor what slices point to
; Public   pointers, *slices, lengths, nonce
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 zmm0 zmm1 [zmm2-zmm7] zmm8-zmm19 [zmm20-zmm23] zmm24-zmm31 k1-k3 flags; vector registers that held secrets are cleared
; Stack    base 16 * WIDE_POWERS + 320 bytes, prepared 48 bytes; the table is cleared

%define SLICE   r12                     ; the slice behind the one at SRC
%define REST    r13                     ; bytes of text behind the one at SRC

%if VG_SPLIT || VG_GATHER
%if !VG_CONTEXT_PREPARED
FUNCTION NAME(seal_slices) %+ _base, .text.slices
        mov LEN, [rsp + 8]
        TABLE_BEGIN
        call NAME(message_powers)
        push qword [rbp + 24]
        push qword [rbp + 16]
        call slices
        TABLE_END
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(seal_slices) %+ _prepared, .text.slices
        mov LEN, [rsp + 8]
        lea POW, [rdi + GCM_POW]
%endif
slices:
        call NAME(message_begin)
        call NAME(long_begin)
        push SLICE
        push REST
        mov SLICE, r8
        mov REST, LEN
        call next_slice
        call NAME(group_numbers)
        mov ecx, STRIDE - 1
        call NAME(rounds)
        jmp .text
.group:
        call NAME(group_numbers)
        lea HASHED, [DST - 64 * STRIDE]
        call NAME(group)
.text:
        call NAME(group_text)
        dec GROUPS
.more:
        jnz .group
        test REST, REST
        jz .end
        call next_slice
        test GROUPS, GROUPS
        jmp .more
.end:
        pop REST
        pop SLICE
        jmp last_group

; SRC, GROUPS and LAST_AT = the next slice, its groups, and where they end; SLICE and REST behind it. Clobbers rcx.
next_slice:
        mov SRC, [SLICE]
        mov rcx, [SLICE + 8]
        add SLICE, 16
        lea GROUPS, [rcx - 1]
        sub REST, rcx
        cmovne GROUPS, rcx
        and GROUPS, -64 * STRIDE
        lea LAST_AT, [SRC + GROUPS]
        shr GROUPS, STRIDE_SHIFT
        ret

section .text
%endif

%macro TAG 0
        mov rax, [rsp + 16]
        vpxord x(ACC_H), x(ACC_H), x(E0)
        vmovdqu [rax], x(ACC_H)
        xor eax, eax
%endmacro

seal:
        call NAME(message_begin)
        ja long_message
        jz .tag
        cmp LEN, 64
        ja .vectors
        call NAME(keystream_1)
        call NAME(text_1)
.tag:
        TAG
        jmp NAME(clear_message)
.vectors:
        lea ecx, [LEN - 1]
        shr ecx, 6
        call NAME(keystream)
        jmp text

long_message:
        call NAME(long_begin)
        mov rcx, GROUPS
        shl rcx, STRIDE_SHIFT
        add LAST_AT, rcx
        call NAME(group_numbers)
        mov ecx, STRIDE - 1
        call NAME(rounds)
        jmp .group_text
align 32
.group:
        call NAME(group_numbers)
        lea HASHED, [DST - 64 * STRIDE]
        call NAME(group)
        test GROUPS, GROUPS
        jz tail
.group_text:
        call NAME(group_text)
        dec GROUPS
        jnz long_message.group
last_group:
        lea ecx, [LEN - 1]
        and ecx, 64 * STRIDE - 1
        cmp ecx, 64 * STRIDE / 2
        jae long_message.group
        NEXT_GROUP
        NUMBERS STRIDE / 2
        call NAME(half_group)
tail:
        TEXT_MASK_OF_LEN
        CLEAR_GROUPS
        call NAME(last_state)

text:
        call NAME(text)
        TAG
        jmp NAME(clear_lanes)
