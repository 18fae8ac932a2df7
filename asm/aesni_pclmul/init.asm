; vg_init_<variant>: key schedule (FIPS 197, section 5.2) and enc(H)
;
;   void f(struct vg_aes_gcm *gcm, const uint8_t *key, size_t key_len);
;
; In       rdi=gcm  rsi=key[key_len]  rdx=key_len: 16, 24 or 32
; Out      rounds, round_key and H^1 of *gcm
; Secret   *gcm, key: never in an address or a branch
; Public   pointers, key_len
; Needs    aes ssse3, and avx in VEX encoding
; Clobber  rcx r8 xmm0-xmm6 flags; vector registers that held secrets are cleared
; Stack    0 bytes
;
; SubWord comes from AESENCLAST on four equal columns, where ShiftRows changes nothing: faster than AESKEYGENASSIST on
; every core but the oldest, and its second operand adds the round constant.

%include "abi.inc"
%include "encoding.inc"
%include "layout.inc"
%include "constants.inc"
%include "ghash128.inc"

%define KEY0  xmm0                      ; words 0..3 of the last step
%define KEY1  xmm1                      ; the words behind
%define STATE xmm2                      ; E(K, 0) under way
%define RCONS xmm3
%define NONE  xmm4                      ; 0
%define T     xmm5
%define U     xmm6

; d[i] = d[0] ^ ... ^ d[i], words
%macro PREFIX 1
        BYTESLEFT U, %1, 4
        XOR %1, U
        BYTESLEFT U, %1, 8
        XOR %1, U
%endmacro

; T = SubWord of the word of a that the shuffle picks, in all four words, ^ rcon
%macro SUBWORD 3                        ; a, shuffle, rcon
        LOADA T, %1
        SHUFB T, [NAME(constants) + %2]
        ENCLAST T, %3
%endmacro

FUNCTION NAME(init)
        lea r8, [rdi + GCM_ROUND_KEY]
        LOADU KEY0, [rsi]
        STOREU [r8], KEY0
        LOADA STATE, KEY0
        LOADA RCONS, [NAME(constants) + RCON]
        ZERO NONE
        cmp edx, 24
        je .aes192
        ja .aes256

        mov dword [rdi + GCM_ROUNDS], 10
        mov ecx, 8
.step128:
        SUBWORD KEY0, ROTATE_LAST, RCONS
        PREFIX KEY0
        XOR KEY0, T
        add r8, 16
        STOREU [r8], KEY0
        ENC STATE, KEY0
        SLLD RCONS, 1
        dec ecx
        jnz .step128
        LOADA RCONS, [NAME(constants) + RCON9]
        SUBWORD KEY0, ROTATE_LAST, RCONS
        PREFIX KEY0
        XOR KEY0, T
        STOREU [r8 + 16], KEY0
        ENC STATE, KEY0
        SLLD RCONS, 1
        SUBWORD KEY0, ROTATE_LAST, RCONS
        PREFIX KEY0
        XOR KEY0, T
        STOREU [r8 + 32], KEY0
        ENCLAST STATE, KEY0
        jmp .hash_key

.aes256:
        mov dword [rdi + GCM_ROUNDS], 14
        LOADU KEY1, [rsi + 16]
        STOREU [r8 + 16], KEY1
        ENC STATE, KEY1
        mov ecx, 7
.step256:
        SUBWORD KEY1, ROTATE_LAST, RCONS
        PREFIX KEY0
        XOR KEY0, T
        add r8, 32
        STOREU [r8], KEY0
        dec ecx
        jz .last256
        ENC STATE, KEY0
        SLLD RCONS, 1
        SUBWORD KEY0, REPEAT_LAST, NONE
        PREFIX KEY1
        XOR KEY1, T
        STOREU [r8 + 16], KEY1
        ENC STATE, KEY1
        jmp .step256
.last256:
        ENCLAST STATE, KEY0
        jmp .hash_key

.aes192:
        mov dword [rdi + GCM_ROUNDS], 12
        LOADQ KEY1, [rsi + 16]
        STOREQ [r8 + 16], KEY1
        mov ecx, 8
.step192:
        SUBWORD KEY1, ROTATE_SECOND, RCONS
        PREFIX KEY0
        XOR KEY0, T
        add r8, 24
        STOREU [r8], KEY0
        dec ecx
        jz .rounds192
        SHUFD T, KEY0, 0xff
        BYTESLEFT U, KEY1, 4
        XOR KEY1, U
        XOR KEY1, T
        STOREQ [r8 + 16], KEY1
        SLLD RCONS, 1
        jmp .step192
.rounds192:
        lea r8, [rdi + GCM_ROUND_KEY]
        mov ecx, 16
.round192:
        LOADA T, [r8 + rcx]
        ENC STATE, T
        add ecx, 16
        cmp ecx, 192
        jne .round192
        LOADA T, [r8 + rcx]
        ENCLAST STATE, T

.hash_key:
        REVERSE STATE
        ENCODE STATE, T, U
        STOREU [rdi + GCM_POW - 16], STATE
%if VG_WIPE
%assign r 0
%rep 7
        ZERO xmm %+ r
%assign r r + 1
%endrep
%endif
        ret
