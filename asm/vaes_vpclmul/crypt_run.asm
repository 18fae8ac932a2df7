; vg_crypt_run_<variant>_<form>: encrypt or decrypt whole blocks, and hash the ciphertext
;
;   void f(const struct vg_aes_gcm *gcm, struct vg_run *run, const uint8_t *src, uint8_t *dst, size_t n,
;          uint32_t flags);
;
; In       rdi=gcm  rsi=run[64]  rdx=src[16*n]  r8=n, at least 1  r9=flags
; Out      rcx=dst[16*n]; run: counter advanced by n (low 32 bits, big-endian, wraps), y continued, keystream if asked
; Overlap  dst == src, or disjoint; run apart from both
; Secret   *gcm, *run, src, dst: never in an address or a branch
; Public   pointers, n, flags
; Needs    ssse3 avx avx2 vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 ymm0-ymm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE256_BYTES + 104 bytes, prepared 40 bytes; the table is cleared

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"
%include "lanes256.inc"
%include "blocks256.inc"

extern NAME(power_table)
extern NAME(numbers)
extern NAME(numbers_tail)
extern NAME(hash_one)
extern NAME(first_product)
extern NAME(keystream)
extern NAME(keystream_of)
extern NAME(group)
extern NAME(group_tail)
extern NAME(group_text)
extern NAME(encrypt_text)
extern NAME(hash_text)
extern NAME(crypt_text)

%define RUN     rbx
%define COUNTER RUN
%define FLAGS   r11d
%define DECRYPT 1                       ; enum of src/variant.h
%define BLOCK   2

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(crypt_run) %+ _base
        lea r11, [r8 + 1]
        BLOCKS_TABLE r11, crypt_run
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(crypt_run) %+ _prepared
        lea POW, [rdi + GCM_POW]
%endif
crypt_run:
        push rbx
        mov RUN, rsi
        mov FLAGS, r9d
        mov N, r8
        mov DST, rcx
        mov SRC, rdx
        LOAD_NUMBER r10d
        KEYS256
        shl N, 4
        test FLAGS, DECRYPT
        jnz .decrypt
        cmp N, GROUP_BYTES
        jbe .encrypt_few
        call NAME(numbers)
        call NAME(keystream)
        call .state
        jmp .count
.encrypt:
        call NAME(numbers)
        lea HASHED, [DST - GROUP_BYTES]
        call NAME(group)
.count:
        call NAME(group_text)
        sub N, GROUP_BYTES
        cmp N, GROUP_BYTES
        ja .encrypt
        call NAME(numbers_tail)
        lea HASHED, [DST - GROUP_BYTES]
        call NAME(group_tail)
        call .state_alone
.encrypt_text:
        xor r11d, r11d                  ; SPLIT
        xor edi, edi
        call NAME(encrypt_text)
.done:
        vmovdqu [RUN + 48], E0
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        vmovdqu [RUN + 16], xmm15
        CLEAR_SECRETS
        pop rbx
        ret
.encrypt_few:
        call .few
        jmp .encrypt_text

.decrypt:
        cmp N, GROUP_BYTES
        jbe .decrypt_few
        call .state
.decrypt_group:
        call NAME(numbers)
        mov HASHED, SRC
        call NAME(group)
        call NAME(group_text)
        sub N, GROUP_BYTES
        cmp N, GROUP_BYTES
        ja .decrypt_group
        call NAME(numbers_tail)
        call NAME(keystream_of)
        call .state_alone
.decrypt_text:
        call NAME(hash_text)
        call NAME(crypt_text)
        jmp .done
.decrypt_few:
        call .few
        jmp .decrypt_text

; Y = the state, with the block under way.
.state:
        vmovdqu xmm15, [RUN + 16]
        test FLAGS, BLOCK
        jnz .with_block
        vpshufb xmm15, xmm15, [NAME(constants) + BYTE_REVERSE]
        ret
.with_block:
        vpxor xmm13, xmm15, [RUN + 32]
        vpshufb xmm13, xmm13, [NAME(constants) + BYTE_REVERSE]
        jmp NAME(hash_one)

; The keystream and the beginning of the sum where there are no groups. What comes late is loaded late, so that what
; waits for it is not in the way of the rounds.
.few:
        call NAME(numbers_tail)
        call NAME(keystream_of)
        cmp N, GROUP_BYTES
        je .no_power
        test FLAGS, BLOCK
        jz .no_power
        vmovdqu xmm13, [RUN + 16]
        vpxor xmm13, xmm13, [RUN + 32]
        vpshufb xmm13, xmm13, [NAME(constants) + BYTE_REVERSE]
        add POW, 16
        FIRST_POWER 2
        call NAME(first_product)
        add rdx, 16
        ret
.no_power:
        call .state

; The sum begins with Y. POW is such that the text ends at H^1, as if a length block followed.
.state_alone:
        vmovdqa T0, Y
        add POW, 16
        FIRST_POWER 1
        jmp NAME(first_product)
