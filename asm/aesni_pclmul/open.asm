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
; Needs    aes ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rax rcx rdx rsi rdi r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE_BYTES + 88 bytes, prepared 56 bytes; the table is cleared
;
; Up to 8 blocks are decrypted in registers, and written if the tag is right. Longer texts are decrypted in
; groups of 8 whose AES rounds hide their own hashing; the rest goes as a short text.

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
extern NAME(keystream_rounds)
extern NAME(tail_counters)
extern NAME(decrypt_tail)
extern NAME(store_tail)
extern NAME(hash_bytes)
extern NAME(xor_text)
extern NAME(groups)
extern NAME(hash_aad)
extern NAME(sum_state)
extern NAME(sum_lengths)
extern NAME(load_last)

; What a message has in its caller's frame, once AAD_LEN was pushed.
%define AAD_LEN [rsp]
%define LEN     [rsp + 16]
%define TAG     [rsp + 24]

%define WRITTEN r11d                    ; 1: groups were written

%if !VG_CONTEXT_BASE
FUNCTION NAME(open) %+ _prepared
        lea POW, [rdi + GCM_POW]
        xor WRITTEN, WRITTEN
        push rcx
        mov C, LEN
        call NAME(message_begin)
        cmp C, 8
        jbe short_message
        jmp long_message
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(open) %+ _base
        TABLE_BEGIN
        xor WRITTEN, WRITTEN
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
        mov rcx, LEN
        mov rdx, SRC
        call NAME(hash_bytes)
        HASH_LENGTH_BLOCK
        REVERSE ACC_H
        mov rdx, TAG
        call NAME(verdict)
        je .done
        mov rcx, LEN
        test rcx, rcx
        jz .done
        mov rdi, SRC
        call NAME(xor_text)
.done:
        CLEAR_SECRETS
        add rsp, 8
        ret
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
        test ecx, ecx
        jnz .partial
        LOADU TEXT, [SRC - 16]
.loaded:
        TAIL_POWERS LENGTH_IN_SUM
        call NAME(decrypt_tail)
.hashed:
%if !LENGTH_IN_SUM
        HASH_LENGTH_BLOCK
%endif
        REVERSE ACC_H
        mov rdx, TAG
        call NAME(verdict)
        je .done
        test C, C
        jz .done
        call NAME(store_tail)
.done:
        CLEAR_SECRETS
        add rsp, 8
        ret

.partial:
        mov rdx, SRC
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
        push rbx
        push HASHED
        mov rcx, [rsp + 16]
        ZERO ACC_H
        test rcx, rcx
        jz .no_aad
        LOADA xmm8, GROUP
        call NAME(hash_aad)
        LOADA GROUP, xmm8
.no_aad:
        xor CTR, CTR
        lea HASHED, [SRC + 128]
        call NAME(groups)
        call NAME(tail_counters)
        pop HASHED
        pop rbx
        call NAME(keystream_rounds)
        call NAME(sum_state)
        inc WRITTEN
        jmp tail

; vg_verdict_<variant>: compare the computed tag with the one given
;
;   An inner function: a register contract of its own.
;
; In       ACC_H=hash  E0=E(K, J0)  rdx=tag[16]  WRITTEN
; Out      eax=verdict, equal if it is VG_VERDICT_UNTOUCHED
; Secret   hash, E(K, J0)
; Public   pointers, WRITTEN, and whether the tag is right
; Needs    none, and avx in VEX encoding
; Clobber  rax rdx ACC_H T0 flags
; Stack    0 bytes
;
; The first jump is the only one that depends on a secret: what it tells is public from there on.
INNER NAME(verdict), NAME(verdict) %+ .end - NAME(verdict)
        XOR ACC_H, E0
        LOADU T0, [rdx]
        EQUALB T0, ACC_H
        SIGNS edx, T0
        xor eax, eax
        xor edx, 0xffff
        jz .known
%if VG_WIPE
        xor edx, edx                    ; it tells which bytes are right
%endif
        lea eax, [r11 + 1]
.known:
        cmp eax, 1
        ret
.end:
