; vg_crypt_run_<variant>_<form>: encrypt or decrypt whole blocks of a message, and hash the ciphertext
;
;   void f(const struct vg_aes_gcm *gcm, struct vg_run *run, const uint8_t *src, uint8_t *dst, size_t n, uint32_t flags);
;
; In       rdi=gcm  rsi=run[64]  rdx=src[16*n]  r8=n, at least 1  r9=flags
; Out      rcx=dst[16*n]; run: counter advanced by n (low 32 bits, big-endian, wraps), y continued, keystream if asked
; Overlap  dst == src, or disjoint; run apart from both
; Secret   *gcm, *run, src, dst: never in an address or a branch
; Public   pointers, n, flags
; Needs    avx2 avx512f avx512bw avx512vl vaes vpclmulqdq
; Clobber  rax rcx rdx rsi rdi r8-r11 zmm0 zmm1 [zmm2-zmm7] zmm8-zmm17 [zmm18-zmm23] zmm24-zmm31 k1 flags; vector registers that held secrets are cleared
; Stack    base 16 * WIDE_POWERS + 272 bytes, prepared 16 bytes; the table is cleared
;
; As seal and open do it. The block behind n takes the place of J0. There is no length block: the powers of the last
; vectors begin one block earlier, at POW + AT - 32 all the same, and where AT is never what it is with one left over.

%include "abi.inc"
%include "layout512.inc"
%include "wide.inc"
%include "registers512.inc"
%include "ghash512.inc"
%include "blocks512.inc"
%include "message512.inc"

%define FLAGS   r11d                    ; until LAST_AT is needed
%define DECRYPT 1
%define BLOCK   2

extern NAME(multiply_h)
extern NAME(groups_begin)
extern NAME(count)
extern NAME(rounds)
extern NAME(group)
extern NAME(group_text)
extern NAME(half_group)
extern NAME(text)
extern NAME(clear_lanes)
%if VG_OPEN
extern NAME(open_text)
extern NAME(open_store)
%endif
%if !VG_CONTEXT_PREPARED
extern NAME(power_table)
%endif

%if !VG_CONTEXT_BASE
FUNCTION NAME(crypt_run) %+ _prepared
        lea POW, [rdi + GCM_POW]
        jmp crypt_run
%endif

%if !VG_CONTEXT_PREPARED
FUNCTION NAME(crypt_run) %+ _base
        TABLE_BEGIN
        lea rcx, [r8 + 1]
        BLOCKS_POWERS
        call NAME(power_table)
        mov rcx, [rbp - 8]
        call crypt_run
        TABLE_END
%endif

crypt_run:
        push rsi
        mov FLAGS, r9d
        mov DST, rcx
        vmovdqu x(ACC_H), [rsi + 16]
        COUNTER_BEGIN
        vpxord x(E0), x(E0), [rdi + GCM_ROUND_KEY]
        mov SRC, rdx
        test FLAGS, BLOCK
        jz .state
        vpxor x(ACC_H), x(ACC_H), [rsi + 32]
.state:
        vpshufb x(ACC_H), x(ACC_H), x(REV)
        KEYS_BEGIN
        cmp LEN, 64 * STRIDE
        ja .long
%if LENGTH_ALONE
        call .hash_block
%endif

; The last vectors of a text.
.last:
        lea ecx, [LEN - 1]
        and ecx, 64 * STRIDE - 1
        shr ecx, 6
        call NAME(count)
        call NAME(rounds)
.tail:
        TEXT_MASK_OF_LEN
        sub POW, 16
        lea AT, [LEN - 16]
        and AT, 64 * STRIDE - 16
        neg AT
        add AT, 32
        mov ecx, FLAGS
        and ecx, BLOCK
        neg rcx
        lea rcx, [AT + 8 * rcx]         ; one power more if the block is not hashed yet
        vmovdqu x(T0), [POW + rcx - 32]
        MULTIPLY x(ACC_H), x(T0), x
%if VG_OPEN
        test FLAGS, DECRYPT
        jnz .open
%endif
        mov LAST_AT, SRC
        call NAME(text)
.end:
        pop rcx
        vmovdqu [rcx + 16], x(ACC_H)
        vmovdqu32 [rcx + 48], x(E0)
        CLEAR_VECTORS NUMS, NUMS
        jmp NAME(clear_lanes)

%if VG_OPEN
.open:
        call NAME(open_text)
        call NAME(open_store)
        jmp .end
%endif

; Hash the block, if there is one, at once.
.hash_block:
        test FLAGS, BLOCK
        jz .hashed
        and FLAGS, DECRYPT
        jmp NAME(multiply_h)
.hashed:
        ret

.long:
        call .hash_block
        call NAME(groups_begin)
        mov ecx, STRIDE - 1
%if VG_OPEN
        test FLAGS, DECRYPT
        jnz .open_group
%endif
        call NAME(count)
        call NAME(rounds)
        jmp .group_text
align 32
.group:
        mov ecx, STRIDE - 1
        call NAME(count)
        lea HASHED, [DST - 64 * STRIDE]
        call NAME(group)
        test GROUPS, GROUPS
        jz .groups_done
.group_text:
        call NAME(group_text)
        vpaddd z(NUMS), z(NUMS), [NAME(wide) + WIDE_STEP]
        dec GROUPS
        jnz .group
        lea ecx, [LEN - 1]
        and ecx, 64 * STRIDE - 1
        cmp ecx, 64 * STRIDE / 2
        jae .group
        mov ecx, STRIDE / 2 - 1
        call NAME(count)
        call NAME(half_group)
.groups_done:
        CLEAR_GROUPS
        jmp .tail

%if VG_OPEN
align 32
.open_group:
        mov ecx, STRIDE - 1
        call NAME(count)
        mov HASHED, SRC
        call NAME(group)
        call NAME(group_text)
        vpaddd z(NUMS), z(NUMS), [NAME(wide) + WIDE_STEP]
        dec GROUPS
        jnz .open_group
        CLEAR_VECTORS SUM, SUM + 3
        jmp .last
%endif
