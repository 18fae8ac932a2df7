"""tools/check, instructions: which feature and which timing each has, and that code outside its variant is seen."""

import unittest

from check_case import KERNEL, ROOT, Case

from machinecheck.features import needs
from machinecheck.timing import kind_of

# Assembly, features, and the kind of timing in a kernel.
INSTRUCTIONS = (
    ("pxor xmm0, xmm1", "baseline", "independent"),
    ("pshufb xmm0, xmm1", "ssse3", "independent"),
    ("pinsrq xmm0, rax, 1", "sse41", "independent"),
    ("aesenc xmm0, xmm1", "aes", "independent"),
    ("pclmulqdq xmm0, xmm1, 0x10", "pclmulqdq", "independent"),
    ("vpxor xmm0, xmm1, xmm2", "avx", "independent"),
    ("vpxor ymm0, ymm1, ymm2", "avx2", "independent"),
    ("vmovdqu ymm0, [rax]", "avx", "independent"),
    ("vpxord zmm0, zmm1, zmm2", "avx512f", "independent"),
    ("vpxord ymm16, ymm1, ymm2", "avx512f avx512vl", "independent"),
    ("vaesenc xmm0, xmm1, xmm2", "aes avx", "independent"),
    ("vaesenc ymm0, ymm1, ymm2", "avx vaes", "independent"),
    ("vaesenc zmm0, zmm1, zmm2", "avx512f vaes", "independent"),
    ("vpclmulqdq ymm0, ymm1, ymm2, 0x11", "avx vpclmulqdq", "independent"),
    ("vmovdqu8 zmm0{k1}{z}, [rax]", "avx512bw avx512f", "independent"),
    ("vpternlogq zmm0, zmm1, zmm2, 0x96", "avx512f", "independent"),
    ("vextracti64x2 xmm0, zmm1, 1", "avx512dq avx512f", "independent"),
    ("kmovq k1, rax", "avx512bw", "independent"),
    ("vgf2p8mulb zmm0, zmm1, zmm2", "avx512f gfni", "independent"),
    ("vpermb zmm0, zmm1, zmm2", "avx512f avx512vbmi", "None"),
    ("shlx rax, rbx, rcx", "bmi2", "independent"),
    ("popcnt rax, rbx", "popcnt", "None"),
    ("div rcx", "baseline", "None"),
    ("bswap eax", "baseline", "public"),
    ("bt [rax], ecx", "baseline", "None"),
    ("jne $", "baseline", "public"),
    ("movaps xmm0, xmm1", "baseline", "None"),
    ("fsin", "", "None"),
)


class Instructions(Case):
    def test_features_and_timing(self) -> None:
        code = "".join(f"{line}\n" for line, _, _ in INSTRUCTIONS)
        self.asm("section .text\nglobal all:function hidden\nall:\n" + code)
        found = [i for function in self.build().functions() for i in function]
        self.assertEqual(len(found), len(INSTRUCTIONS))
        for instruction, (line, features, kind) in zip(found, INSTRUCTIONS):
            with self.subTest(line):
                self.assertEqual(" ".join(sorted(needs(instruction))), features)
                self.assertEqual(str(kind_of(instruction, is_c=False)), kind)

    def test_vex_in_a_variant_without_avx(self) -> None:
        self.assert_kernel("instructions", "pshufb xmm0, xmm0", "vpshufb xmm0, xmm0, xmm0", "vpshufb", "needs avx")

    def test_each_variant_has_its_limit(self) -> None:
        for variant, code, missing in (
            ("aesni", "pclmulqdq xmm0, xmm0, 0", "pclmulqdq"),
            ("pclmul", "aesenc xmm0, xmm0", "aes"),
            ("aesni_pclmul_avx", "vpxor ymm0, ymm0, ymm0", "avx2"),
            ("vaes_vpclmul", "vpxord zmm0, zmm0, zmm0", "avx512f"),
            ("vaes_vpclmul", "vpxord xmm0, xmm0, xmm0", "avx512f avx512vl"),
            ("vaes_vpclmul_avx512", "vextracti64x2 xmm0, zmm0, 1", "avx512dq"),
            ("vaes_vpclmul_avx512", "bzhi rax, rax, rax", "bmi2"),
        ):
            with self.subTest(variant=variant, code=code):
                self.again()
                self.asm(KERNEL.replace("pshufb xmm0, xmm0", code), "powers", variant)
                self.assert_finds("instructions", f"vg_powers_{variant}", code[:6], f"needs {missing}")

    def test_an_unknown_instruction(self) -> None:
        self.assert_kernel("instructions", "pshufb xmm0, xmm0", "fsin", "fsin", "no feature is known")

    def test_c_above_the_baseline(self) -> None:
        text = "int f(unsigned x);\nint f(unsigned x) { return __builtin_popcount(x); }\n"
        self.c(text, "src-test", "-mpopcnt")
        self.assert_finds("instructions", "src-test.c", "f", "popcnt", "needs popcnt, which C may not use")

    def test_division(self) -> None:
        self.assert_kernel("timing", "xor eax, eax", "xor eax, eax\n        div rcx", "div rcx", "may depend on data")

    def test_division_in_c(self) -> None:
        self.c("unsigned f(unsigned x, unsigned y);\nunsigned f(unsigned x, unsigned y) { return x / y; }")
        self.assert_finds("timing", "src-test.c", "f", "div", "may depend on data")

    def test_a_shift_by_a_register_that_is_not_listed(self) -> None:
        self.assert_kernel("timing", "xor eax, eax", "shld rax, rdx, cl", "shld", "may depend on data")

    def test_what_a_variant_asks_the_cpu_for(self) -> None:
        text = """#include "{root}/src/internal.h"
const struct vg_variant vg_variant_portable = {{.name = "portable", .needs = {needs}}};
"""
        self.c(text.format(root=ROOT, needs="0"), "src-variants-portable")
        self.assert_holds("asks", "portable")
        self.again()
        self.c(text.format(root=ROOT, needs="VG_CPU_AES"), "src-variants-portable")
        self.assert_finds("asks", "src-variants-portable", "asks for aes, and may use", variants=("portable",))


if __name__ == "__main__":
    unittest.main()
