; vg_seal_<variant>_<form>: encrypt a whole message with a nonce of 12 bytes, and write its tag
;
;   uint32_t f(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
;              const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
;
; In       rdi=gcm  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  r8=src[len]  [rsp+8]=len
; Out      r9=dst[len]; [rsp+16]=tag[16]; eax=status, VG_OK
; Overlap  dst == src, or disjoint; tag apart from dst
; Secret   *gcm, aad, src, dst, tag: never in an address or a branch
; Public   pointers, lengths, nonce
; Needs    aes ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rax rcx rdx rsi rdi r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE_BYTES + 96 bytes, prepared 64 bytes; the table is cleared
;
; Up to 8 blocks: counter blocks and J0 together, then one sum of products over AAD, text and length block; or, where
; powers have to be made, two blocks at a time.
; Longer: the first 8 blocks alone, then groups of 8 whose AES rounds hide the hashing of the 8 before; the rest goes
; as a short message does, its rounds hiding the hashing of the last group.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"
%include "message128.inc"

extern NAME(power_table)
extern NAME(message_begin)
extern NAME(tail_counters)
extern NAME(keystream_hashing)
extern NAME(encrypt_tail)
extern NAME(hash_bytes)
extern NAME(xor_text)
extern NAME(ctr_lanes)
extern NAME(groups)
extern NAME(hash_aad)
extern NAME(sum_state)
extern NAME(sum_lengths)
extern NAME(load_last)

; What a message has in its caller's frame, once AAD_LEN was pushed.
%define AAD_LEN [rsp]
%define LEN     [rsp + 16]
%define TAG     [rsp + 24]

%define SLICE   r12                     ; the slice behind the one at SRC
%define REST    r13                     ; bytes of text behind the one at SRC

; vg_seal_split_<variant>_<form>: the same for a text whose last block lies at dst already
;
;   uint32_t f(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
;              const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
;
; In       rdi=gcm  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  r8=src[len]  [rsp+8]=len
; Out      r9=dst[len]; [rsp+16]=tag[16]; eax=status, VG_OK
; Overlap  dst == src, or disjoint; tag apart from dst
; Secret   *gcm, aad, src, dst, tag: never in an address or a branch
; Public   pointers, lengths, nonce
; Needs    aes ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rax rcx rdx rsi rdi r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE_BYTES + 96 bytes, prepared 64 bytes; the table is cleared

%if !VG_CONTEXT_BASE
%if VG_SPLIT || VG_GATHER
FUNCTION NAME(seal_split) %+ _prepared
        mov LAST_AT, DST
        sub LAST_AT, SRC
        jmp prepared
%endif

FUNCTION NAME(seal) %+ _prepared
        xor r11d, r11d                  ; LAST_AT
%if VG_SPLIT || VG_GATHER
prepared:
%endif
        lea POW, [rdi + GCM_POW]
        push rcx
        mov C, LEN
        call NAME(message_begin)
        cmp C, 8
        jbe short_message
        jmp long_message
%endif

%if !VG_CONTEXT_PREPARED
%if VG_SPLIT || VG_GATHER
FUNCTION NAME(seal_split) %+ _base
        mov LAST_AT, DST
        sub LAST_AT, SRC
        jmp base
%endif

FUNCTION NAME(seal) %+ _base
        xor r11d, r11d                  ; LAST_AT
%if VG_SPLIT || VG_GATHER
base:
%endif
        TABLE_BEGIN
        push qword [rbp + 24]
        push qword [rbp + 16]
        call with_table
        add rsp, 16
        TABLE_END
        ret

with_table:
        push rcx
        mov C, LEN
        call NAME(message_begin)
        mov rcx, AAD_LEN
        cmp C, 8
        ja .long
        cmp rcx, 128
        ja .long_aad
        mov esi, 2
        call NAME(power_table)
        jmp base_message
.long_aad:
        mov esi, POWERS_USED
        call NAME(power_table)
        jmp short_message
.long:
        LOADA xmm8, GROUP
        push rsi
        mov esi, POWERS_USED
        call NAME(power_table)
        pop rsi
        LOADA GROUP, xmm8
        jmp long_message
%endif

%if !VG_CONTEXT_PREPARED
; A message of at most 8 blocks with two powers, from its keystream on.
base_message:
        ZERO ACC_H
        call NAME(hash_bytes)
        test C, C
        jz .tag
        lea rdi, [SRC + LAST_AT]
        mov rcx, LEN
        call NAME(xor_text)
        mov rcx, LEN
        mov rdx, DST
        call NAME(hash_bytes)
.tag:
        HASH_LENGTH_BLOCK
        REVERSE ACC_H
        XOR ACC_H, E0
        mov rdx, TAG
        STOREU [rdx], ACC_H
        CLEAR_SECRETS
        xor eax, eax
        add rsp, 8
        ret
%endif

; vg_seal_slices_<variant>_<form>: the same for a text in slices of multiples of 128 bytes; the last may end anywhere
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
; Needs    aes ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rax rcx rdx rsi rdi r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE_BYTES + 112 bytes, prepared 80 bytes; the table is cleared

%if VG_SPLIT || VG_GATHER
%if !VG_CONTEXT_PREPARED
FUNCTION NAME(seal_slices) %+ _base, .text.slices
        TABLE_BEGIN
        push qword [rbp + 24]
        push qword [rbp + 16]
        mov r10, rsi
        mov esi, POWERS_USED
        call NAME(power_table)
        mov rsi, r10
        call slices
        add rsp, 16
        TABLE_END
        ret
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(seal_slices) %+ _prepared, .text.slices
        lea POW, [rdi + GCM_POW]
%endif
slices:
        xor r11d, r11d                  ; LAST_AT
        push rcx
        mov C, LEN
        call NAME(message_begin)
        push rbx
        push HASHED
        push SLICE
        push REST
        mov SLICE, r8
        mov REST, [rsp + 48]
        call next_slice
        mov rcx, [rsp + 32]
        call first_group
.groups:
        cmp C, 8
        jbe .end
        mov HASHED, DST
        call NAME(groups)
.end:
        test REST, REST
        jz .last
        call next_slice
        jmp .groups
.last:
        pop REST
        pop SLICE
        jmp last_group

; SRC and C = the next slice, and 8 blocks more if others follow; SLICE and REST behind it. Clobbers rcx.
next_slice:
        xor ecx, ecx
        mov SRC, [SLICE]
        mov C, [SLICE + 8]
        add SLICE, 16
        sub REST, C
        setne cl
        add C, 15
        shr C, 4
        lea C, [C + 8*rcx]
        ret

section .text
%endif

; A message of at most 8 blocks, from its keystream on.
short_message:
        mov rcx, AAD_LEN
        test rcx, rcx
        jz no_aad
        call NAME(hash_aad)

; ACC = what is in the sum beside the last C blocks of the text; their keystream is there.
tail:
        test C, C
        jz .tag
        TAIL_ENDS
        add LAST_AT, SRC
        test ecx, ecx
        jnz .partial
        LOADU TEXT, [LAST_AT - 16]
.loaded:
        TAIL_POWERS LENGTH_IN_SUM
        call NAME(encrypt_tail)
.hashed:
%if !LENGTH_IN_SUM
        HASH_LENGTH_BLOCK
%endif
        REVERSE ACC_H
        XOR ACC_H, E0
        mov rdx, TAG
        STOREU [rdx], ACC_H
        CLEAR_SECRETS
        xor eax, eax
        add rsp, 8
        ret

.partial:
        mov rdx, LAST_AT
        mov rdi, LEN
        call NAME(load_last)
        LOADA TEXT, T0
        jmp .loaded
.tag:
        REDUCE
        jmp .hashed
no_aad:
        ACC_ZERO
%if LENGTH_IN_SUM
        call NAME(sum_lengths)
%endif
        jmp tail

; A message of more than 8 blocks, from its first counter block on.
long_message:
        mov rcx, AAD_LEN
        push rbx
        push HASHED
        call first_group
        cmp C, 8
        jbe last_group
        mov HASHED, DST
        call NAME(groups)
last_group:
        call NAME(tail_counters)
        pop HASHED
        pop rbx
        call NAME(keystream_hashing)
        call NAME(sum_state)
        jmp tail

; E0 and the first 8 blocks of a text, ACC_H = the hash of the AAD, of rcx bytes. Clobbers rcx.
first_group:
        push rcx
        push rdx
        xor CTR, CTR
        GROUP_COUNTERS
        mov edx, 8
        call NAME(ctr_lanes)
        pop rdx
        pop rcx
        ZERO ACC_H
        test rcx, rcx
        jz .no_aad
        LOADA xmm8, GROUP
        call NAME(hash_aad)
        LOADA GROUP, xmm8
.no_aad:
        sub C, 8
        ret
