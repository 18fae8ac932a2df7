; vg_seal_<variant>_<form>: encrypt a whole message with a nonce of 12 bytes, and write its tag
;
;   void f(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
;          const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
;
; In       rdi=gcm  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  r8=src[len]  [rsp+8]=len
; Out      r9=dst[len]; [rsp+16]=tag[16]
; Overlap  dst == src, or disjoint; tag apart from dst
; Secret   *gcm, aad, src, dst, tag: never in an address or a branch
; Public   pointers, lengths, nonce
; Needs    ssse3 avx avx2 vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE256_BYTES + 120 bytes, prepared 40 bytes; the table is cleared
;
; A text of up to SHORT_MOST bytes is one tail: J0 and all counter blocks together, then one sum of products over AAD, text
; and length block. A longer one begins with groups whose AES rounds hide the hashing of the group before.

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
extern NAME(hash_blocks)
extern NAME(hash_aad)
extern NAME(group_alone)
extern NAME(group)
extern NAME(load_partial)
extern NAME(store_partial)

; vg_seal_split_<variant>_<form>: the same for a text whose last vector of 32 bytes or less lies at dst already
;
;   void f(const struct vg_aes_gcm *gcm, const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
;          const uint8_t *src, uint8_t *dst, size_t len, uint8_t tag[16]);
;
; In       rdi=gcm  rsi=nonce[12]  rdx=aad[aad_len]  rcx=aad_len  r8=src[len]  [rsp+8]=len
; Out      r9=dst[len]; [rsp+16]=tag[16]
; Overlap  dst == src, or disjoint; tag apart from dst
; Secret   *gcm, aad, src, dst, tag: never in an address or a branch
; Public   pointers, lengths, nonce
; Needs    ssse3 avx avx2 vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE256_BYTES + 120 bytes, prepared 40 bytes; the table is cleared

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
        jmp seal
%endif

%if !VG_CONTEXT_PREPARED
%if VG_SPLIT || VG_GATHER
FUNCTION NAME(seal_split) %+ _base
        TABLE_BEGIN
        mov SPLIT, DST
        sub SPLIT, SRC
        jmp seal_base
%endif
FUNCTION NAME(seal) %+ _base
        TABLE_BEGIN
        xor r11d, r11d
seal_base:
        call seal
        TABLE_END
%endif

align 32
seal:
        MESSAGE_BEGIN256
        cmp N, SHORT_MOST
        ja .long
        LENGTHS 0
        vinserti128 T0, T0, xmm14, 1
        FIRST_POWER 2
        KEYS256
        vpxor xmm0, xmm8, [NAME(constants) + COUNTS + 16]
.tail:
        FIRST_PRODUCT
        lea ecx, [N + 31]
        shr ecx, 5
        TAIL_DISPATCH256 .tail
%assign n 0
%rep VECTORS + 1
.tail_ %+ n:
        TAIL_KEYSTREAM n
%if n == 0
        jmp .text_0
%else
        call .last
%assign before n - 1
        jmp .text_ %+ before
%endif
%assign n n + 1
%endrep

; The vectors before the last, downwards: the sum needs no order.
%assign n VECTORS - 1
%rep VECTORS - 1
.text_ %+ n:
%assign lane n + 1
        vpxor ymm %+ lane, ymm %+ lane, [SRC + 32 * (n - 1)]
        vmovdqu [DST + 32 * (n - 1)], ymm %+ lane
        REVERSE256 ymm %+ lane
        vmovdqu H, [rdx + 32 * (n - 1)]
        PRODUCT ymm %+ lane, 0
%assign n n - 1
%endrep
.text_0:
        REDUCE256
        FOLD
        cmp N, GROUP_BYTES - 16
        ja .lengths_alone
.tag:
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        vpxor xmm15, xmm15, E0
        mov rdx, [rsp + 24]
        vmovdqu [rdx], xmm15
        CLEAR_SECRETS
        add rsp, 8
        ret

; The last vector: text, and its product. rdx = the power of the first block.
.last:
        cmp N, 16
        jb .under_16
        lea rcx, [SRC + N - 16]
        add rcx, SPLIT
        test r10b, 31
        jnz .lanes
        vpxor LAST, LAST, [rcx - 16]
        vmovdqu [DST + N - 32], LAST
        REVERSE256 LAST
        vmovdqu H, [POW - 48]
.product:
        PRODUCT LAST, 0
        FIRST_POWER 1
        ret
.lanes:
        mov rdi, rcx
        LAST_LANES
        mov rcx, rdi
        LOAD_LANES T1, xmm14
        CRYPT_LANES
        REVERSE_LANES LAST, LAST
        jmp .product
.under_16:
        lea rdx, [SRC + SPLIT]
        mov rcx, N
        call NAME(load_partial)
        vpxor xmm1, xmm1, xmm13
        lea rdx, [NAME(constants) + KEEP + 16]
        sub rdx, N
        vpand xmm1, xmm1, [rdx]
        vmovdqa xmm13, xmm1
        mov rdx, DST
        mov rcx, N
        call NAME(store_partial)
        REVERSE256 LAST
        vmovdqu H, [POW - 32]
        jmp .product

.long:
        push rbx
        KEYS256
        xor ebx, ebx
        HASH_ALONE
        cmp N, GROUP_BYTES
        jb .rest
        GROUP_COUNTERS256
        call NAME(group_alone)
        jmp .count
align 32
.group:
        GROUP_COUNTERS256
        lea HASHED, [DST - GROUP_BYTES]
        call NAME(group)
.count:
        sub N, GROUP_BYTES
        cmp N, GROUP_BYTES
        jae .group
        lea rdx, [DST - GROUP_BYTES]
        mov ecx, POWERS
        call NAME(hash_blocks)
.rest:
        AFTER_GROUPS
        cmp N, GROUP_BYTES - 16
        ja .full_tail
        LENGTHS 0
        vinserti128 T0, T0, xmm14, 1
        FIRST_POWER 1
        jmp .tail

; POWERS blocks leave no power for the length block: each goes one power down, and the sum is multiplied once more.
.full_tail:
        add POW, 16
        FIRST_POWER 1
        jmp .tail
.lengths_alone:
        sub POW, 16
        vmovdqa xmm13, xmm15
        LENGTHS 0
        vpxor xmm13, xmm13, xmm14
        HASH_ALONE
        jmp .tag
