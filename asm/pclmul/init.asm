; vg_init_<variant>: key schedule (FIPS 197, section 5.2) and enc(H)
;
;   void f(struct vg_aes_gcm *gcm, const uint8_t *key, size_t key_len);
;
; In       rdi=gcm  rsi=key[key_len]  rdx=key_len: 16, 24 or 32
; Out      rounds, round_key and H^1 of *gcm
; Secret   *gcm, key: never in an address or a branch
; Public   pointers, key_len
; Needs    ssse3
; Clobber  rax rcx rdx rsi r8-r11 xmm0-xmm15 flags; vector registers that held secrets are cleared
; Stack    312 bytes; cleared

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "registers128.inc"
%include "ghash128.inc"
%include "permute.inc"

extern NAME(ctr32_to)

%define WORD    xmm0                    ; the last word, as word 0: block 0 of permute.inc
%define BEFORE  r8                      ; where the word is that a key's length lies before the next one
%define RCON    r9d
%define WORDS   r10d                    ; still to make
%define STEP    ecx                     ; words to go until the next RotWord, in steps of a key's length

FUNCTION NAME(init)
        lea BEFORE, [rdi + GCM_ROUND_KEY]
        LOADU T0, [rsi]
        STOREU [BEFORE], T0
        LOADQ T0, [rsi + rdx - 8]
        STOREQ [BEFORE + rdx - 8], T0
        cmp edx, 32
        jne .copied
        LOADQ T0, [rsi + 16]
        STOREQ [BEFORE + 16], T0
.copied:
        LOADD WORD, [rsi + rdx - 4]
        shr edx, 2                      ; words of a key
        lea eax, [rdx + 6]
        mov [rdi + GCM_ROUNDS], eax
        lea WORDS, [rdx + 2 * rdx + 28]
        mov RCON, 1
        xor STEP, STEP
        PERMUTE_BEGIN
.word:
        test STEP, STEP
        jz .rotate
        cmp edx, 8
        jne .made
        cmp STEP, 4
        jne .made
        call .sub_word
        jmp .made
.rotate:
        SHUFD WORD, WORD, 0
        SHUFB WORD, [NAME(constants) + ROTATE_LAST]
        call .sub_word
        LOADD T0, RCON
        XOR WORD, T0
        add RCON, RCON
        cmp RCON, 0x100
        jb .rotated
        xor RCON, 0x11b
.rotated:
        mov STEP, edx
.made:
        LOADD T0, [BEFORE]
        XOR WORD, T0
        STORED [BEFORE + 4 * rdx], WORD
        add BEFORE, 4
        dec STEP
        dec WORDS
        jnz .word

        sub rsp, 40
        ZERO T0
        STOREA [rsp], T0
        STOREA [rsp + 16], T0
        mov rsi, rsp
        lea rdx, [rsp + 16]
        mov rcx, rdx
        mov r8d, 1
        call NAME(ctr32_to)
        LOADA xmm0, [rsp + 16]
        REVERSE xmm0
        ENCODE xmm0, xmm1, xmm2
        STOREA [rdi + GCM_POW - 16], xmm0
        CLEAR_SECRETS
%if VG_WIPE
        STOREA [rsp + 16], xmm0
%endif
        add rsp, 40
        ret

.sub_word:
        TO_TOWER 1
        INVERT 1
        BLOCK 0
        LAST_LOOK_UP
        XOR LOW, [TABLES + S_CONSTANT]
        ret
