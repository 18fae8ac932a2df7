; vg_crypt_run_<variant>_<form>: encrypt or decrypt whole blocks of a message in pieces, and hash the ciphertext
;
;   void f(const struct vg_aes_gcm *gcm, struct vg_run *run, const uint8_t *src, uint8_t *dst, size_t n,
;          uint32_t flags);
;
; In       rdi=gcm  rsi=run[64]  rdx=src[16*n]  r8=n, at least 1  r9=flags
; Out      rcx=dst[16*n]; run: counter advanced by n (low 32 bits, big-endian, wraps), y continued, keystream if asked
; Overlap  dst == src, or disjoint; run apart from both
; Secret   *gcm, *run, src, dst: never in an address or a branch
; Public   pointers, n, flags
; Needs    aes ssse3 pclmulqdq, and avx in VEX encoding
; Clobber  rax rcx rdx rsi rdi r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    base TABLE_BYTES + 56 bytes, prepared 40 bytes; the table is cleared
;
; As a message: up to 8 blocks at once; more in groups of 8, and the last 1 to 8 at once. Keystream is made unasked: its
; lane is there.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "lanes128.inc"
%include "message128.inc"

extern NAME(clear_secrets)
extern NAME(power_table)
extern NAME(ctr_blocks)
extern NAME(hash_blocks)
extern NAME(groups)
extern NAME(keystream_rounds)
extern NAME(keystream_hashing)
extern NAME(encrypt_tail)
extern NAME(decrypt_tail)
extern NAME(store_tail)

%define RUN     r11                     ; nothing else than the last block's place is ever in LAST_AT

%define RUN_COUNTER     RUN
%define RUN_Y           RUN + 16
%define RUN_BLOCK       RUN + 32
%define RUN_KEYSTREAM   RUN + 48

; Flags in CTR, which is odd.
%define CTR_DECRYPT     2
%define CTR_BLOCK       4

%if !VG_CONTEXT_BASE
FUNCTION NAME(crypt_run) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp crypt_run
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(crypt_run) %+ _base
        TABLE_BEGIN
        mov r10, rsi
        mov esi, 8
        cmp r8, 8
        cmovb esi, r8d
%if LENGTH_IN_SUM
        inc esi                         ; for the block before
%endif
        call NAME(power_table)
        mov rsi, r10
        call crypt_run
        TABLE_END
        ret
%endif

crypt_run:
        push rbx
        push HASHED
        lea ebx, [2 * r9 + 1]           ; CTR: counters from NUMBER
        mov C, r8
        mov SRC, rdx
        mov DST, rcx
        mov RUN, rsi
        LOADU NUMBER, [RUN_COUNTER]
        REVERSE NUMBER
        KEYS_BEGIN
        xor ebp, ebp                    ; HASHED: no group before the last blocks is to be hashed
        LOADU ACC_H, [RUN_Y]
        test ebx, CTR_BLOCK
        jz .state
        LOADU T0, [RUN_BLOCK]
        XOR ACC_H, T0
.state:
        REVERSE ACC_H
        cmp C, 8
        ja .long
%if !LENGTH_IN_SUM
        call hash_state
%endif
.last:
        LOADD T0, r10d
        ADDD NUMBER, T0
        LOADA T0, [LAST_KEY + FIRST - 16]
        LOADA T1, [NAME(constants) + BYTE_REVERSE]
        LOADA xmm0, NUMBER
        SHUFB xmm0, T1
        STOREU [RUN_COUNTER], xmm0
        XOR xmm0, T0
%assign lane 1
%rep 8
        SUBD3 xmm %+ lane, NUMBER, [NAME(constants) + ADDS + 16 * lane]
        SHUFB xmm %+ lane, T1
        XOR xmm %+ lane, T0
%if lane == 4
        cmp C, lane
        jbe .counted
%endif
%assign lane lane + 1
%endrep
.counted:
        test HASHED, HASHED
        jnz .hashing
        call NAME(keystream_rounds)
.keystream:
        STOREU [RUN_KEYSTREAM], xmm0
        mov ecx, ebx
        and ecx, CTR_BLOCK
        shr ecx, 1
        lea I, [I + 2*C]
        neg I
        LOADA T0, ACC_H
        MULTIPLY_AT_I
        mov rdx, C
        shl rdx, 4
        add SRC, rdx
        add DST, rdx
        LOADU TEXT, [SRC - 16]
        TAIL_POWERS 0
        xor ecx, ecx
%if VG_OPEN
        test ebx, CTR_DECRYPT
        jnz .decrypt
%endif
        call NAME(encrypt_tail)
.end:
        REVERSE ACC_H
        STOREU [RUN_Y], ACC_H
        pop HASHED
        pop rbx
%if VG_WIPE
        jmp NAME(clear_secrets)
%else
        ret
%endif

.hashing:
        call NAME(keystream_hashing)
        jmp .keystream
.long:
%if VG_OPEN
        test ebx, CTR_DECRYPT
        jnz .decrypt_groups
%endif
        mov edx, 8
        call NAME(ctr_blocks)
        sub C, 8
        mov HASHED, DST
        call hash_state
        cmp C, 8
        jbe .last
        call NAME(groups)
        jmp .last

%if VG_OPEN
.decrypt_groups:
        lea HASHED, [SRC + 128]
        call hash_state
        call NAME(groups)
        xor ebp, ebp
        jmp .last
%endif

%if VG_OPEN
.decrypt:
        call NAME(decrypt_tail)
        call NAME(store_tail)
        jmp .end
%endif

; ACC_H = the state behind the block that flags may ask for.
hash_state:
        test ebx, CTR_BLOCK
        jz .done
        and ebx, ~CTR_BLOCK
        LOADA xmm8, NUMBER
        lea rdx, [NAME(constants) + ZEROS]
        mov ecx, 1
        call NAME(hash_blocks)
        LOADA NUMBER, xmm8
.done:
        ret
