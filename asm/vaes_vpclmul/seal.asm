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
; Needs    ssse3 avx avx2 vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE256_BYTES + 128 bytes, prepared 48 bytes; the table is cleared
;
; A text of up to SHORT_MOST bytes is one tail: J0 and all counter blocks together, then one sum of products over AAD,
; text and length block. A longer one begins with groups whose AES rounds hide the hashing of the group before.

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"
%include "lanes256.inc"
%include "message256.inc"

extern NAME(power_table)
extern NAME(message)
extern NAME(message_group)
extern NAME(message_tail)
extern NAME(hash_one)
extern NAME(hash_first)
extern NAME(tail_sum)
extern NAME(keystream)
extern NAME(keystream_of)
extern NAME(group)
extern NAME(group_tail)
extern NAME(group_text)
extern NAME(encrypt_text)
extern NAME(encrypt_short)

; vg_seal_split_<variant>_<form>: the same for a text whose last vector of 32 bytes or less lies at dst already
;
;   uint32_t f(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
;              const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
;
; In       rdi=gcm  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  r8=src[len]  [rsp+8]=len
; Out      r9=dst[len]; [rsp+16]=tag[16]; eax=status, VG_OK
; Overlap  dst == src, or disjoint; tag apart from dst
; Secret   *gcm, aad, src, dst, tag: never in an address or a branch
; Public   pointers, lengths, nonce
; Needs    ssse3 avx avx2 vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE256_BYTES + 128 bytes, prepared 48 bytes; the table is cleared

; vg_seal_slices_<variant>_<form>: the same for a text in slices of multiples of 32 bytes; the last may end anywhere
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
; Needs    ssse3 avx avx2 vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE256_BYTES + 128 bytes, prepared 48 bytes; the table is cleared

%if VG_SPLIT || VG_GATHER
%define SLICE   r12                     ; the slice behind the one at SRC
%define LEFT    r13                     ; bytes of the slice at SRC

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(seal_slices) %+ _base, .text.slices
        TABLE_BEGIN
        call slices
        TABLE_END
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(seal_slices) %+ _prepared, .text.slices
        lea POW, [rdi + GCM_POW]
%endif
slices:
        push rcx
        call NAME(message)
        push rbx
        push SLICE
        push LEFT
        xor ebx, ebx                    ; CTR
        mov SLICE, r8
        call .next
        call NAME(hash_one)
        call NAME(message_group)
        call NAME(keystream)
        jmp .text
.group:
        call NAME(message_group)
        lea HASHED, [DST - GROUP_BYTES]
        call NAME(group)
.text:
        cmp LEFT, GROUP_BYTES
        jb .vectors
        call NAME(group_text)
        add LEFT, -GROUP_BYTES
.count:
        sub N, GROUP_BYTES
        cmp N, GROUP_BYTES
        ja .group
        test LEFT, LEFT
        jnz .tail
        call .next
.tail:
        pop LEFT
        pop SLICE
        xor r11d, r11d                  ; SPLIT
        jmp message_tail

.vectors:
%assign v 0
%rep VECTORS
        call .vector
        vpxor ymm %+ v, ymm %+ v, T0
        vmovdqu [DST + 32 * v], ymm %+ v
%assign v v + 1
%endrep
        sub DST, -GROUP_BYTES
        jmp .count
.vector:
        test LEFT, LEFT
        jnz .left
        call .next
.left:
        vmovdqu T0, [SRC]
        add SRC, 32
        sub LEFT, 32
        ret
.next:
        mov SRC, [SLICE]
        mov LEFT, [SLICE + 8]
        add SLICE, 16
        ret

section .text
%endif

%if !VG_CONTEXT_PREPARED
%if VG_SPLIT || VG_GATHER
FUNCTION NAME(seal_split) %+ _base
        mov SPLIT, DST
        sub SPLIT, SRC
        jmp seal_base
%endif
FUNCTION NAME(seal) %+ _base
        xor r11d, r11d
seal_base:
        TABLE_BEGIN
        call seal
        TABLE_END
%endif

%if !VG_CONTEXT_BASE
%if VG_SPLIT || VG_GATHER
FUNCTION NAME(seal_split) %+ _prepared
        lea POW, [rdi + GCM_POW]
        mov SPLIT, DST
        sub SPLIT, SRC
        jmp seal
%endif
FUNCTION NAME(seal) %+ _prepared
        lea POW, [rdi + GCM_POW]
        xor r11d, r11d
%endif
seal:
        push rcx
        call NAME(message)
        cmp N, SHORT_MOST
        ja long_message
        SHORT_BEGIN
        call NAME(encrypt_short)
store_tag:
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        vpxor xmm15, xmm15, E0
        mov rdx, [rsp + 24]
        vmovdqu [rdx], xmm15
        CLEAR_SECRETS
        xor eax, eax
        add rsp, 8
        ret

long_message:
        push rbx
        xor ebx, ebx
        cmp N, GROUP_BYTES
        jbe only_tail
        call NAME(hash_one)
        call NAME(message_group)
        call NAME(keystream)
        jmp .count
.group:
        call NAME(message_group)
        lea HASHED, [DST - GROUP_BYTES]
        call NAME(group)
.count:
        call NAME(group_text)
        sub N, GROUP_BYTES
        cmp N, GROUP_BYTES
        ja .group

message_tail:
        call NAME(message_tail)
        lea HASHED, [DST - GROUP_BYTES]
        call NAME(group_tail)
        cmp N, SHORT_MOST
        ja .full_tail
        call NAME(tail_sum)
        pop rbx
        xor edi, edi
        call NAME(encrypt_text)
        jmp store_tag

.full_tail:
        vmovdqa T0, Y
        lea rdx, [POW - 16]
        jmp first

; No groups, but too many blocks for the AAD to be in one sum with them.
only_tail:
        call NAME(message_tail)
        call NAME(keystream_of)
        lea rdx, [POW - 32]
first:
        vpxor ymm2, ymm2, [SRC]
        vmovdqu [DST], ymm2
        REVERSE256 ymm2
        call NAME(hash_first)
        vmovdqa ymm2, T0
        vpxor xmm10, xmm10, xmm10
        vpxor xmm11, xmm11, xmm11
        vpxor xmm12, xmm12, xmm12
        pop rbx
        sub rdx, 16
        mov edi, 1
        call NAME(encrypt_text)
        jmp store_tag
