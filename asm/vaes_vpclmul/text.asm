; The last vectors of a text, up to a group's, once their keystream is there. The very last may be partial; it is in
; LAST, and those before it are in ymm2.. .

%include "abi.inc"
%include "layout.inc"
%include "layout256.inc"
%include "constants.inc"
%include "wide256.inc"
%include "registers256.inc"
%include "ghash256.inc"
%include "lanes256.inc"

extern NAME(load_partial)
extern NAME(store_partial)

; Of the last vector of a text, 1 to 32 bytes, where N >= 16: rsi = its bytes in lane 0, 1 to 16, and rdx = in lane 1,
; 0 to 16. Each lane is the last 16 bytes up to its end, as they lie in memory: what is before its own bytes belongs
; to the vector before, or to lane 0, and is written unchanged, before the right bytes are. Clobbers ecx.
%macro LAST_LANES 0
        lea esi, [N - 1]
        and esi, 31
        inc esi
        xor ecx, ecx
        mov edx, esi
        sub edx, 16
        cmovb edx, ecx
        sub esi, edx
%endmacro

; d = the lanes of the text that ends at rcx + 16. These three clobber LANES.
%macro LOAD_LANES 2
        mov LANES, rcx
        sub LANES, rdx
        vmovdqu %2, [LANES]
        vinserti128 %1, %1, [rcx], 1
%endmacro

; LAST = text T1 in lanes, encrypted, and to where it ends at DST + N. Clobbers rcx, T0.
%macro CRYPT_LANES 0
        lea LANES, [NAME(wide) + UP]
        vmovdqu xmm13, [LANES + rsi]
        vinserti128 T0, T0, [LANES + rdx], 1
        vpshufb LAST, LAST, T0
        vpxor LAST, LAST, T1
        lea rcx, [DST + N - 16]
        vextracti128 [rcx], LAST, 1
        sub rcx, rdx
        vmovdqu [rcx], xmm1
%endmacro

; d = byte-reversed blocks of lanes, zeros behind; H = their powers. Clobbers rcx, T0.
%macro REVERSE_LANES 2
        lea LANES, [NAME(wide) + DOWN]
        vmovdqu xmm13, [LANES + rsi]
        vinserti128 T0, T0, [LANES + rdx], 1
        vpshufb %1, %2, T0
        cmp edx, 1
        sbb rcx, rcx
        and ecx, 16
        vmovdqu H, [POW + rcx - 48]
%endmacro

; All rounds on n vectors, ymm0..
%macro ROUNDS256 1
%if %1 <= VG_VAES_UNROLLED + 1
        cmp FIRST, -144
        je %%nine
%endif
        mov RI, FIRST
%%round:
        ROUND256 %1, LAST_KEY + RI
        add RI, 16
%if %1 <= VG_VAES_UNROLLED + 1
        cmp RI, -144
        jne %%round
%%nine:
%assign at -144
%rep 9
        ROUND256 %1, LAST_KEY + at
%assign at at + 16
%endrep
%else
        jnz %%round
%endif
        LAST_ROUND256 %1
%endmacro

; vg_keystream_<variant>: the keystream of a group of counter blocks
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY, FIRST, whitened counter blocks in ymm0..
; Out      ymm0..
; Secret   round keys, keystream
; Public   pointers
; Needs    avx avx2 vaes
; Clobber  rcx ymm0-ymm3 [ymm4-ymm7] RK flags
; Stack    0 bytes
INNER NAME(keystream)
        ROUNDS256 VECTORS
        ret

; vg_short_keystream_<variant>: the keystream of a short message
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY, FIRST, GROUP = nonce || 0, whitened; N, up to SHORT_MOST
; Out      ymm0.. = keystream of J0, of the last vector and of those before it
; Secret   round keys, keystream
; Public   pointers, N
; Needs    avx avx2 vaes
; Clobber  rcx ymm0-ymm3 [ymm4-ymm7] RK flags
; Stack    0 bytes
INNER NAME(short_keystream)
        lea ecx, [N + 31]
        shr ecx, 5
%assign most VECTORS - 1
        VECTORS_DISPATCH .short, most
%assign n 0
%rep VECTORS
.short_ %+ n:
        vpxor xmm0, xmm8, [NAME(constants) + COUNTS + 16]
%if n > 0
        vpxor LAST, GROUP, [NAME(constants) + COUNTS + 32 * n]
%assign k 1
%rep n - 1
%assign lane k + 1
        vpxor ymm %+ lane, GROUP, [NAME(constants) + COUNTS + 32 * k]
%assign k k + 1
%endrep
%endif
%if n == VECTORS - 1
        jmp NAME(keystream)
%else
.of_ %+ n:
%assign lanes n + 1
        ROUNDS256 lanes
        ret
%endif
%assign n n + 1
%endrep

; vg_keystream_of_<variant>: the keystream of one vector of counter blocks and n more
;
;   An inner function: a register contract of its own.
;
; In       LAST_KEY, FIRST, whitened counter blocks in ymm0 to ymm(n), ecx=n, 1 to VECTORS
; Out      ymm0 to ymm(n)
; Secret   round keys, keystream
; Public   pointers, n
; Needs    avx avx2 vaes
; Clobber  rcx ymm0-ymm4 [ymm5-ymm8] RK flags
; Stack    0 bytes
INNER NAME(keystream_of)
        cmp ecx, VECTORS - 1
        je NAME(keystream)
        ja .all
%assign most_but_one VECTORS - 2
        VECTORS_DISPATCH NAME(short_keystream).of, most_but_one
.all:
%assign lanes VECTORS + 1
        ROUNDS256 lanes
        ret

%define LANES r11

; vg_encrypt_text_<variant>: encrypt the end of a text, and hash it
;
;   An inner function: a register contract of its own.
;
; In       POW, SRC, N, SPLIT, ymm1.. = keystream, ACC = the sum so far, rdx = the power of the first block;
;          edi = 1 if the first vector is done but for its product, and ymm2 is its second block and the length block
; Out      DST; Y = the sum reduced
; Secret   table at POW, keystream, text, state
; Public   pointers, N, edi
; Needs    ssse3 avx avx2 vpclmulqdq
; Clobber  rcx rdx rsi r11 ymm1-ymm4 [ymm5-ymm8] T2 ACC_L ACC_M ACC_H T0 T1 H flags
; Stack    24 bytes
INNER NAME(encrypt_text)
        lea ecx, [N + 31]
        shr ecx, 5
        VECTORS_DISPATCH .last, VECTORS
.short_0:
        call NAME(short_keystream).short_0
        jmp .text_0
%assign n 1
%rep VECTORS
%if n < VECTORS
.short_ %+ n:
        call NAME(short_keystream).short_ %+ n
        xor edi, edi
%endif
.last_ %+ n:
%if n == VECTORS
        test edi, edi
        jnz .begun
%endif
%if n > 1
        vpxor ymm2, ymm2, [SRC]
%endif
%if n == VECTORS
.begun:
%endif
%if n > 2
        vpxor ymm %+ n, ymm %+ n, [SRC + 32 * (n - 2)]
%endif
        call .last
%assign before n - 1
        jmp .text_ %+ before
%assign n n + 1
%endrep

; The vectors before the last, downwards, over what the last has written before itself: the one next to it is read
; before, and so is the first, once and for all. The sum needs no order.
%assign n VECTORS - 1
%rep VECTORS - 1
.text_ %+ n:
%if n == 1
        test edi, edi
        jnz .first
%endif
%assign lane n + 1
        vmovdqu [DST + 32 * (n - 1)], ymm %+ lane
        REVERSE256 ymm %+ lane
        vmovdqu H, [rdx + 32 * (n - 1)]
        PRODUCT ymm %+ lane, 0
%if n > 2
        vpxor ymm %+ n, ymm %+ n, [SRC + 32 * (n - 2)]
%endif
%assign n n - 1
%endrep
.text_0:
.last_0:
        REDUCE256
        FOLD
        ret
.first:
        vmovdqu xmm15, [rdx + 16]
        vinserti128 H, H, [POW - 16], 1
        PRODUCT ymm2, 0
        jmp .text_0

; The last vector: text, and its product. rdx and edi stay.
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
        call .crypt_lanes
        REVERSE_LANES LAST, LAST
.product:
        PRODUCT LAST, 0
        FIRST_POWER 1
        ret


; The text of a last vector that is partial, read up to rcx + N; rsi and rdx as LAST_LANES has them.
.crypt_lanes:
        lea r11, [rcx + N - 16]
        LAST_LANES
        mov rcx, r11
        LOAD_LANES T1, xmm14
        CRYPT_LANES
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
        lea r11, [NAME(wide)]
        vpshufb xmm1, xmm1, [r11 + rsi + UP]
        vmovdqu [DST + N - 16], xmm1
        vpshufb xmm1, xmm1, [r11 + rsi + DOWN]
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

; vg_encrypt_short_<variant>: encrypt and hash the text of a short message
;
;   An inner function: a register contract of its own.
;
; In       POW, LAST_KEY, FIRST, GROUP = nonce || 0, whitened; SRC, N, SPLIT, ACC = the sum so far, rdx = the power of
;          the first block
; Out      DST; E0; Y = the sum reduced
; Secret   table at POW, round keys, keystream, text, state
; Public   pointers, N
; Needs    ssse3 avx avx2 vaes vpclmulqdq
; Clobber  rcx rdx rsi rdi r11 ymm0-ymm3 [ymm4-ymm7] T2 ACC_L ACC_M ACC_H T0 T1 H flags
; Stack    24 bytes
INNER NAME(encrypt_short)
        lea ecx, [N + 31]
        shr ecx, 5
        VECTORS_DISPATCH NAME(encrypt_text).short, most

%define LANES rdi

; vg_hash_text_<variant>: hash the end of a ciphertext
;
;   An inner function: a register contract of its own.
;
; In       POW, SRC, N, ACC = the sum so far, rdx = the power of the first block
; Out      Y = the sum reduced
; Secret   table at POW, text, state
; Public   pointers, N
; Needs    ssse3 avx avx2 vpclmulqdq
; Clobber  rcx rdx rsi rdi T2 ACC_L ACC_M ACC_H T0 T1 H flags
; Stack    8 bytes
INNER NAME(hash_text)
        mov ecx, r10d
        and ecx, -32
        jz .rest
.vector:
        sub ecx, 32
        vmovdqu T0, [SRC + rcx]
        REVERSE256 T0
        vmovdqu H, [rdx + rcx]
        PRODUCT T0, 0
        jnz .vector
.rest:
        test r10b, 31
        jz .reduce
        cmp N, 16
        jb .under_16
        LAST_LANES
        lea rcx, [SRC + N - 16]
        LOAD_LANES T1, xmm14
        REVERSE_LANES T0, T1
.product:
        PRODUCT T0, 0
.reduce:
        REDUCE256
        FOLD
        ret
.under_16:
        mov rdx, SRC
        mov ecx, r10d
        call NAME(load_partial)
        REVERSE256 T0
        vmovdqu H, [POW - 32]
        jmp .product

; vg_crypt_text_<variant>: encrypt or decrypt the end of a text
;
;   An inner function: a register contract of its own.
;
; In       SRC, N, ymm1.. = keystream
; Out      DST
; Secret   keystream, text
; Public   pointers, N
; Needs    ssse3 avx avx2
; Clobber  rcx rdx rsi r11 ymm1-ymm4 [ymm5-ymm8] T0 T1 H flags
; Stack    8 bytes
INNER NAME(crypt_text)
        test r10b, 31
        jnz .partial
        test r10d, r10d
        jz .text_0
        vpxor LAST, LAST, [SRC + N - 32]
        vmovdqu [DST + N - 32], LAST
.before:
        lea ecx, [N - 1]
        shr ecx, 5
%assign most VECTORS - 1
        VECTORS_DISPATCH .text, most
%assign n VECTORS - 1
%rep VECTORS - 1
.text_ %+ n:
%assign lane n + 1
        vpxor ymm %+ lane, ymm %+ lane, [SRC + 32 * (n - 1)]
        vmovdqu [DST + 32 * (n - 1)], ymm %+ lane
%assign n n - 1
%endrep
.text_0:
        ret
.partial:
        cmp N, 16
        jb .under_16
        mov rcx, SRC
        call NAME(encrypt_text).crypt_lanes
        jmp .before
.under_16:
        mov rdx, SRC
        mov ecx, r10d
        call NAME(load_partial)
        vpxor xmm13, xmm13, xmm1
        mov rdx, DST
        mov ecx, r10d
        jmp NAME(store_partial)
