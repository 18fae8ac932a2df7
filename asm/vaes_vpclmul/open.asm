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
; Stack    base TABLE256_BYTES + 128 bytes, prepared 48 bytes; the table is cleared
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
extern NAME(message)
extern NAME(message_group)
extern NAME(message_tail)
extern NAME(hash_one)
extern NAME(hash_first)
extern NAME(first_product)
extern NAME(tail_sum)
extern NAME(short_keystream)
extern NAME(keystream_of)
extern NAME(group)
extern NAME(group_text)
extern NAME(hash_text)
extern NAME(crypt_text)

%define WRITTEN r11d                    ; 1 if groups were written

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(open) %+ _base
        TABLE_BEGIN
        call open
        TABLE_END
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(open) %+ _prepared
        lea POW, [rdi + GCM_POW]
%endif
open:
        push rcx
        xor WRITTEN, WRITTEN
        call NAME(message)
        cmp N, SHORT_MOST
        ja .long
        SHORT_BEGIN
        call NAME(short_keystream)
        call NAME(hash_text)
.verdict:
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        vpxor xmm15, xmm15, E0
        mov rcx, [rsp + 24]
        vpcmpeqb xmm15, xmm15, [rcx]
        vpmovmskb ecx, xmm15
        xor eax, eax
        xor ecx, 0xffff
        jnz .wrong
.text:
        call NAME(crypt_text)
.done:
        CLEAR_SECRETS
        add rsp, 8
        ret

.wrong:
        mov eax, 2
%if VG_WIPE
        xor ecx, ecx                    ; it tells which bytes are right
%endif
        test WRITTEN, WRITTEN
        jnz .text
        mov eax, 1
        jmp .done

.long:
        push rbx
        xor ebx, ebx
        cmp N, GROUP_BYTES
        jb .only_tail
        call NAME(hash_one)
        mov WRITTEN, 1
.group:
        call NAME(message_group)
        mov HASHED, SRC
        call NAME(group)
        call NAME(group_text)
        sub N, GROUP_BYTES
        cmp N, GROUP_BYTES
        jae .group
        cmp N, SHORT_MOST
        ja .full_tail
        call NAME(tail_sum)
        jmp .tail

.full_tail:
        vmovdqa T0, Y
        lea rdx, [POW - 16]
        jmp .first

; No groups, but too many blocks for the AAD to be in one sum with them.
.only_tail:
        lea rdx, [POW - 32]
.first:
        vmovdqu ymm2, [SRC]
        REVERSE256 ymm2
        call NAME(hash_first)
        call NAME(first_product)
.tail:
        call NAME(message_tail)
        call NAME(keystream_of)
        pop rbx
        FIRST_POWER 1
        cmp N, SHORT_MOST
        ja .but_first
        call NAME(hash_text)
        jmp .verdict

; The first vector of the text is in the sum already.
.but_first:
        add rdx, 32
        add SRC, 32
        sub N, 32
        call NAME(hash_text)
        sub SRC, 32
        add N, 32
        jmp .verdict
