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
extern NAME(hash_aad)
extern NAME(group_alone)
extern NAME(group)
extern NAME(group_before)
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

%assign LAST_BUT_ONE VECTORS - 1

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
        FIRST_PRODUCT
        add rdx, 16                     ; the power of the text's first block
.tail:
        lea ecx, [N + 31]
        shr ecx, 5
        TAIL_DISPATCH256 .tail
%assign n 0
%rep VECTORS + 1
.tail_ %+ n:
        TAIL_KEYSTREAM n
%if n == 0
.keyed_0:
        jmp .text_0
%else
.keyed_ %+ n:
%assign k 1
%rep n - 1
%assign lane k + 1
        vpxor ymm %+ lane, ymm %+ lane, [SRC + 32 * (k - 1)]
%assign k k + 1
%endrep
%if n == VECTORS
        jmp .full
%else
        call .last
%assign before n - 1
        jmp .text_ %+ before
%endif
%endif
%assign n n + 1
%endrep

; The vectors before the last, downwards, over what the last has written before itself. The sum needs no order.
%assign n VECTORS - 1
%rep VECTORS - 1
.text_ %+ n:
%if n == 1
        cmp N, SHORT_MOST
        ja .second
%endif
%assign lane n + 1
        vmovdqu [DST + 32 * (n - 1)], ymm %+ lane
        REVERSE256 ymm %+ lane
        vmovdqu H, [rdx + 32 * (n - 1)]
        PRODUCT ymm %+ lane, 0
%assign n n - 1
%endrep
.text_0:
        REDUCE256
        FOLD
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        vpxor xmm15, xmm15, E0
        mov rdx, [rsp + 24]
        vmovdqu [rdx], xmm15
        CLEAR_SECRETS
        add rsp, 8
        ret

; The last vector: text, and its product. rdx stays.
.last:
        lea rcx, [SRC + SPLIT]
        test r10b, 31
        jnz .partial
        vpxor LAST, LAST, [rcx + N - 32]
        vmovdqu [DST + N - 32], LAST
        REVERSE256 LAST
        vmovdqu H, [POW - 48]
        PRODUCT LAST, 0
        ret
.partial:
        cmp N, 16
        jb .under_16
        test r10b, 15
        jz .lanes
        test r10b, 16
        jz .one_lane
.lanes:
        lea rdi, [rcx + N - 16]
        LAST_LANES
        mov rcx, rdi
        LOAD_LANES T1, xmm14
        CRYPT_LANES
        REVERSE_LANES LAST, LAST
.product:
        PRODUCT LAST, 0
        FIRST_POWER 1
        ret

; 1 to 15 bytes behind another vector, which is not stored yet. They are read alone: a wider load would wait for two
; stores of whoever wrote the text just now.
.one_lane:
        mov esi, r10d
        and esi, 15
        lea rdx, [rcx + N]
        sub rdx, rsi
        mov ecx, esi
        call NAME(load_partial)
        vpxor xmm1, xmm1, xmm13
        lea rdi, [NAME(wide)]
        vpshufb xmm1, xmm1, [rdi + rsi + UP]
        vmovdqu [DST + N - 16], xmm1
        vpshufb xmm1, xmm1, [rdi + rsi + DOWN]
        vmovdqu H, [POW - 32]
        jmp .product
.under_16:
        mov rdx, rcx
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

        OTHER_AAD

.long:
        push rbx
        KEYS256
        xor ebx, ebx
        cmp N, GROUP_BYTES
        jbe .only_tail
        HASH_ALONE
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
        ja .group

; All counter blocks that a tail can have: the hashing of the last group takes longer than their rounds.
        AFTER_GROUPS
        lea ecx, [N + 31]
        and ecx, -32
        cmp ecx, GROUP_BYTES
        je .last_counter
        lea rdx, [NAME(constants) + COUNTS]
        vpxor LAST, GROUP, [rdx + rcx]
.last_counter:
%assign k 1
%rep VECTORS - 1
%assign lane k + 1
        vpxor ymm %+ lane, GROUP, [NAME(constants) + COUNTS + 32 * k]
%assign k k + 1
%endrep
        lea HASHED, [DST - GROUP_BYTES]
        call NAME(group_before)
        cmp N, SHORT_MOST
        ja .full_tail
        TAIL_BEGIN
        FIRST_PRODUCT
        lea ecx, [N + 31]
        shr ecx, 5
        TAIL_DISPATCH256 .keyed
.full_tail:
        vmovdqa ymm10, Y
        lea rdx, [POW - 16]
        jmp .keyed_ %+ VECTORS

; No groups, but too many blocks for the AAD to be in one sum with them.
.only_tail:
        AFTER_GROUPS
        vmovdqa ymm10, T0
        lea rdx, [POW - 32]
        jmp .tail_ %+ VECTORS

; VECTORS vectors; ymm10 is the block before them, with its power at rdx.
.full:
        vmovdqu [DST], ymm2
        REVERSE256 ymm2
        vmovdqa T0, ymm10
        FIRST_BLOCK_ALONE 2
        vmovdqa ymm2, T0
        vpxor xmm10, xmm10, xmm10
        vpxor xmm11, xmm11, xmm11
        vpxor xmm12, xmm12, xmm12
        FIRST_POWER 1
        call .last
        jmp .text_ %+ LAST_BUT_ONE
.second:
        vmovdqu xmm15, [rdx + 16]
        vinserti128 H, H, [POW - 16], 1
        PRODUCT ymm2, 0
        jmp .text_0
