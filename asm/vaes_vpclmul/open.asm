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
; Needs    ssse3 avx avx2 vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE256_BYTES + 120 bytes, prepared 40 bytes; the table is cleared
;
; A text of up to SHORT_MOST bytes is one tail: all its keystream in registers, then one sum of products over AAD,
; ciphertext and length block, and only if the tag is right the text. A longer one begins with groups whose AES rounds
; hide their own hashing.

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
extern NAME(group)
extern NAME(load_partial)
extern NAME(store_partial)

%define WRITTEN r11d                    ; 1 if groups were written

%if !VG_CONTEXT_BASE
FUNCTION NAME(open) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp open
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(open) %+ _base
        TABLE_BEGIN
        call open
        TABLE_END
%endif

align 32
open:
        MESSAGE_BEGIN256
        xor WRITTEN, WRITTEN
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
        call .verdict
        jmp .done
%else
%assign before n - 1
        call .hash_ %+ before
        jc .done
        call .last
        jmp .text_ %+ before
%endif
%assign n n + 1
%endrep

; The vectors before the last, downwards.
%assign n VECTORS - 1
%rep VECTORS - 1
.text_ %+ n:
%assign lane n + 1
        vpxor ymm %+ lane, ymm %+ lane, [SRC + 32 * (n - 1)]
        vmovdqu [DST + 32 * (n - 1)], ymm %+ lane
%assign n n - 1
%endrep
.text_0:
.done:
        CLEAR_SECRETS
        add rsp, 8
        ret

; The hash, then eax = verdict; carry if it is VG_VERDICT_UNTOUCHED. rdx = the power of the first block.
%assign n VECTORS - 1
%rep VECTORS - 1
.hash_ %+ n:
%if n == 1
        cmp N, SHORT_MOST
        ja .hash_0                      ; this vector was the first
%endif
        vmovdqu T0, [SRC + 32 * (n - 1)]
        REVERSE256 T0
        vmovdqu H, [rdx + 32 * (n - 1)]
        PRODUCT T0, 0
%assign n n - 1
%endrep
.hash_0:
        cmp N, 16
        jb .hash_under_16
        test r10b, 31
        jnz .hash_lanes
        vmovdqu T0, [SRC + N - 32]
        REVERSE256 T0
        vmovdqu H, [POW - 48]
.product:
        PRODUCT T0, 0
.verdict:
        REDUCE256
        FOLD
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        vpxor xmm15, xmm15, E0
        mov rcx, [rsp + 32]
        vpcmpeqb xmm15, xmm15, [rcx]
        vpmovmskb ecx, xmm15
        xor eax, eax
        xor ecx, 0xffff                 ; clears carry
        jz .good
%if VG_WIPE
        xor ecx, ecx                    ; it tells which bytes are right
%endif
        mov eax, 2
        cmp WRITTEN, 1                  ; carry if not
        je .good
        mov eax, 1
.good:
        ret
.hash_lanes:
        LAST_LANES
        lea rcx, [SRC + N - 16]
        LOAD_LANES T1, xmm14
        REVERSE_LANES T0, T1
        jmp .product
.hash_under_16:
        mov rdx, SRC
        mov rcx, N
        call NAME(load_partial)
        REVERSE256 T0
        vmovdqu H, [POW - 32]
        jmp .product

; The text of the last vector.
.last:
        cmp N, 16
        jb .under_16
        test r10b, 31
        jnz .lanes
        vpxor LAST, LAST, [SRC + N - 32]
        vmovdqu [DST + N - 32], LAST
        ret
.lanes:
        LAST_LANES
        lea rcx, [SRC + N - 16]
        LOAD_LANES T1, xmm14
        CRYPT_LANES
        ret
.under_16:
        mov rdx, SRC
        mov rcx, N
        call NAME(load_partial)
        vpxor xmm13, xmm13, xmm1
        mov rdx, DST
        mov rcx, N
        jmp NAME(store_partial)

        OTHER_AAD

.long:
        push rbx
        KEYS256
        xor ebx, ebx
        cmp N, GROUP_BYTES
        jb .only_tail
        HASH_ALONE
        mov WRITTEN, 1
align 32
.group:
        GROUP_COUNTERS256
        mov HASHED, SRC
        call NAME(group)
        sub N, GROUP_BYTES
        cmp N, GROUP_BYTES
        jae .group
        AFTER_GROUPS
        cmp N, SHORT_MOST
        ja .full_tail
        TAIL_BEGIN
        FIRST_PRODUCT
        jmp .tail
.full_tail:
        vmovdqa T0, Y
        lea rdx, [POW - 16]
        jmp .full

; No groups, but too many blocks for the AAD to be in one sum with them.
.only_tail:
        AFTER_GROUPS
        lea rdx, [POW - 32]
.full:
        vmovdqu ymm2, [SRC]
        REVERSE256 ymm2
        FIRST_BLOCK_ALONE 2
        FIRST_PRODUCT
        FIRST_POWER 1
        jmp .tail_ %+ VECTORS
