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
; Stack    base TABLE_BYTES + 80 bytes, prepared 48 bytes; the table is cleared
;
; Up to 8 blocks are hashed first, then decrypted in registers, and written if the tag is right. Longer texts are
; decrypted in groups of 8 whose AES rounds hide their own hashing; the last 1 to 8 blocks go as in a short text.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"
%include "message128.inc"

extern NAME(power_table)
extern NAME(hash_aad)
extern NAME(load_partial)
extern NAME(store_partial)

%define HASHED  SRC                     ; the group itself
%define AAD_LEN [rsp]
%define LEN     [rsp + 8]
%define WRITTEN [rsp]             ; not 0: groups were written; in place of AAD_LEN

%define GROUP_ASIDE xmm8                ; GROUP while HALF is in use
%define TEXT_ASIDE  xmm7                ; the last block of the ciphertext, and where it waits for its keystream
%define TEXT        ACC_L

%if !VG_CONTEXT_BASE
FUNCTION NAME(open) %+ _prepared
        mov r10, [rsp + 8]
        mov TAG, [rsp + 16]
        lea POW, [rdi + GCM_POW]
        jmp open
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(open) %+ _base
        mov r10, [rsp + 8]
        mov TAG, [rsp + 16]
        MESSAGE_POWERS
        WITH_POWER_TABLE open
%endif

align 32
open:
        push rbx
        push rbp
        push r10
        push rcx
        add C, 15
        shr C, 4
        ACC_ZERO
        test rcx, rcx
        jz .no_aad
        call NAME(hash_aad)
.no_aad:
        MESSAGE_BEGIN
        cmp C, 8
        jbe .short

        lea GROUPS, [C - 1]
        shr GROUPS, 3
        LOADA xmm8, [NAME(constants) + BYTE_REVERSE]
align 32
.group:
        GROUP_COUNTERS
        GROUP_STITCHED
        lea RI, [FIRST + 144]
        test RI, RI
        jz .last_round
.more_rounds:
        ROUND 8, [LAST_KEY + RI]
        add RI, 16
        jnz .more_rounds
.last_round:
        LAST_ROUND 8
        GROUP_TEXT
        sub SRC, -128
        sub DST, -128
        sub C, 8
        dec GROUPS
        jnz .group
%if POWERS_USED >= 10
        LOADA Y, ACC_H
        ACC_ZERO
        jmp .hash
.short:                                 ; the sum holds the product of the AAD
        ZERO Y
.hash:
%else
.short:                                 ; ACC_H holds the hash of the AAD
        LOADA Y, ACC_H
        ACC_ZERO
%endif
        LOADA GROUP_ASIDE, GROUP
        mov I, -2
        test C, C
        jz .lengths
        mov rdx, SRC
%if POWERS_USED < 10
        push C
        HASH_NINTH rdx
        TAIL_POWERS
        pop C
%else
        TAIL_POWERS
%endif
.block:
        cmp I, -4
        je .last_block
        LOADU T0, [rdx]
        add rdx, 16
        REVERSE T0
        XOR T0, Y
        ZERO Y
        MULADD_NEXT
        jmp .block
.last_block:
        LAST_BYTES
        cmp ecx, 16
        jne .partial
        LOADU T0, [rdx]
.loaded:
        LOADA TEXT_ASIDE, T0
        REVERSE T0
        XOR T0, Y
        ZERO Y
        MULADD_NEXT
.lengths:
        HASH_LENGTHS
        mov WRITTEN, rbx
        LOADA GROUP, GROUP_ASIDE
        LOADA TEXT, TEXT_ASIDE

        TAIL_DISPATCH .tail, 0
%assign n 0
%rep 9
.tail_ %+ n:
        J0_LANE
        TAIL_COUNTERS n
        mov RI, FIRST
.tail_round_ %+ n:
        ROUND n + 1, [LAST_KEY + RI]
        add RI, 16
        jnz .tail_round_ %+ n
        LAST_ROUND n + 1
        call NAME(verdict)
        je .done
        TAIL_TEXT n
%if n == 0
        jmp .done
%elif n < 8
        jmp .last
%endif
%assign n n + 1
%endrep
.last:
        XOR LAST, TEXT
        LAST_BYTES
        shl C, 4
        cmp ecx, 16
        jne .store_partial
        STOREU [DST + C - 16], LAST
.done:
        CLEAR_SECRETS
        add rsp, 16
        pop rbp
        pop rbx
        ret

.partial:
        call NAME(load_partial)
        jmp .loaded
.store_partial:
        LOADA T0, LAST
        lea rdx, [DST + C - 16]
        call NAME(store_partial)
        jmp .done

; vg_verdict_<variant>: compare the computed tag with the one given
;
;   An inner function: a register contract of its own.
;
; In       ACC_H=hash  E0=E(K, J0)  TAG=tag[16]  [rsp+8]=WRITTEN
; Out      eax=verdict, equal if it is VG_VERDICT_UNTOUCHED
; Secret   hash, E(K, J0)
; Public   pointers, WRITTEN, and whether the tag is right
; Needs    none, and avx in VEX encoding
; Clobber  rax rcx ACC_H T0 flags
; Stack    0 bytes
;
; The first jump is the only one that depends on a secret: what it tells is public from there on.
INNER NAME(verdict), NAME(verdict) %+ .end - NAME(verdict)
        XOR ACC_H, E0
        LOADU T0, [TAG]
        EQUALB T0, ACC_H
        SIGNS ecx, T0
        xor eax, eax
        xor ecx, 0xffff
        jz .known
        mov eax, 2
        cmp qword [rsp + 8], 1
        jae .known
        mov eax, 1
.known:
        cmp eax, 1
        ret
.end:
