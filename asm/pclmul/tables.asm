; Tables of the vector-permute AES, worked out by the assembler; permute.inc has their offsets and their use.

%include "abi.inc"

; product = a * b in GF(256) = GF(2)[x] / (x^8 + x^4 + x^3 + x + 1), FIPS 197, section 4.2
%macro MULTIPLY 2
%assign factor %1
%assign rest %2
%assign product 0
%rep 8
        %assign product product ^ (factor * (rest & 1))
        %assign factor (factor << 1) ^ (0x11b * (factor >> 7))
        %assign rest rest >> 1
%endrep
%endmacro

; product = a^n; a^14 is 1/a in GF(16)
%macro POWER 2
%assign product 1
%rep %2
        MULTIPLY product, %1
%endrep
%endmacro

; GF(16) within GF(256): nibble n stands for the sum of g^b over its bits b, g = 3^17 of order 15.
POWER 3, 17
%assign g product
MULTIPLY g, g
%assign g2 product
MULTIPLY g2, g
%assign g3 product
%assign n 0
%rep 16
        %assign element_%[n] (n & 1) ^ (g * (n >> 1 & 1)) ^ (g2 * (n >> 2 & 1)) ^ (g3 * (n >> 3))
        %assign nibble_%[element_%[n]] n
%assign n n + 1
%endrep

; The tower: u is the least number outside of GF(16) whose trace and norm are the same; they are a.
%assign u 9
POWER u, 16
%assign conjugate product
MULTIPLY u, conjugate
%assign a product
%if a != u ^ conjugate || conjugate == u
        %error "u does not fit"
%endif
%assign i 0
%rep 16
        MULTIPLY element_%[i], u
        %assign k 0
        %rep 16
                %assign byte_value product ^ element_%[k]
                %assign tower_%[byte_value] i << 4 | k
        %assign k k + 1
        %endrep
%assign i i + 1
%endrep

; 1/x = (u + a)*i/N + k/N. From 1/s = (k + a*i)/N and 1/t = 1/s + a*k/N: p = 1 + u/a + u/a^2, q = u/a^2.
POWER a, 14
%assign over_a product
MULTIPLY over_a, u
%assign p product ^ 1
MULTIPLY over_a, product
%assign q product
%assign p p ^ q

; A table over nibbles n: %1 for 0, then what macro %2, with argument %3, makes of `inverse`, 1/n.
%macro TABLE 2-3
        db %1
%assign n 1
%rep 15
        POWER element_%[n], 14
        %assign inverse product
        %2 %3
        db entry
%assign n n + 1
%endrep
%endmacro

%macro INVERSE 0
        %assign entry nibble_%[inverse]
%endmacro

%macro RATIO 0
        MULTIPLY inverse, a
        %assign entry nibble_%[product]
%endmacro

; entry = the S-box's affine map less its constant (FIPS 197, section 5.1.1) of %1 / n
%macro S_BOX 1
        MULTIPLY inverse, %1
        %assign sum product ^ (product << 1) ^ (product << 2) ^ (product << 3) ^ (product << 4)
        %assign entry (sum ^ sum >> 8) & 0xff
%endmacro

%macro ONCE 1
        S_BOX %1
        %assign entry tower_%[entry]
%endmacro

%macro TWICE 1
        S_BOX %1
        MULTIPLY entry, 2
        %assign entry tower_%[product]
%endmacro

; Where each byte finds the one that is %1 rows on in its column, after 0..3 rounds: row r of a column stands r * round
; columns further on than FIPS 197 says, so between two rows that makes `other - row` times as many.
%macro ROWS 1
%assign round 0
%rep 4
        %assign place 0
        %rep 16
                %assign row place & 3
                %assign other (row + %1) & 3
                db (((place >> 2) + round * (other - row)) & 3) << 2 | other
        %assign place place + 1
        %endrep
%assign round round + 1
%endrep
%endmacro

section .rodata
global NAME(permute):data hidden
align 64
NAME(permute):
        times 16 db 0x0f
        TABLE 0x80, INVERSE
        TABLE 0x80, RATIO
%assign n 0
%rep 16
        db tower_%[n]
%assign n n + 1
%endrep
%assign n 0
%rep 16
        db tower_%[n]
%assign n n + 16
%endrep
        TABLE 0, ONCE, p
        TABLE 0, ONCE, q
        TABLE 0, TWICE, p
        TABLE 0, TWICE, q
        TABLE 0, S_BOX, p
        TABLE 0, S_BOX, q
        times 16 db 0x63
        ROWS 1
        ROWS 3
%assign round 0
%rep 4
        %assign place 0
        %rep 16
                %assign row place & 3
                db (((place >> 2) - round * row) & 3) << 2 | row
        %assign place place + 1
        %endrep
%assign round round + 1
%endrep
