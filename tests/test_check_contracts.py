"""tools/check, contracts: every rule sees a kernel that breaks it, and says where."""

import unittest

from check_case import KERNEL, Case

INCLUDE = '%include "abi.inc"'
AVX512 = "vaes_vpclmul_avx512"


class Banners(Case):
    def test_a_parameter_in_the_wrong_place(self) -> None:
        self.assert_kernel("banner", "rdi=gcm", "rdi=key", "parameter gcm is not bound as rdi=gcm")

    def test_another_prototype(self) -> None:
        self.assert_kernel("banner", "vg_aes_gcm *gcm)", "vg_aes_gcm *gcm )", "src/variant.h")

    def test_no_banner(self) -> None:
        self.assert_kernel("banner", "; vg_powers_<variant>:", "; vg_power_<variant>:", "no banner")

    def test_a_missing_key(self) -> None:
        self.assert_kernel("banner", "; Stack    8 bytes\n", "", "no Stack")

    def test_a_word_that_is_no_register(self) -> None:
        self.assert_kernel("banner", "rax xmm0", "rax some", "cannot read", "some")

    def test_a_content_that_is_neither_secret_nor_public(self) -> None:
        self.assert_kernel("banner", "Secret   *gcm", "Secret   pointers", "gcm is neither in Secret")

    def test_a_feature_that_is_not_named(self) -> None:
        self.assert_kernel("needs", "Needs    ssse3", "Needs    none", "the code needs ssse3")

    def test_a_feature_that_is_not_needed(self) -> None:
        self.assert_kernel("needs", "Needs    ssse3", "Needs    ssse3 aes", "names aes")

    def test_a_feature_that_the_variant_lacks(self) -> None:
        text = KERNEL.replace("Needs    ssse3", "Needs    ssse3 aes").replace("pshufb xmm0", "aesenc xmm0")
        self.asm(text, "x", "pclmul")
        self.assertTrue(any("aes, which the variant does not have" in text for text in self.findings("needs")))

    def test_a_register_that_is_not_named(self) -> None:
        self.assert_kernel("clobbers", "rax xmm0 flags", "rax flags", "changes vector register 0")

    def test_a_register_that_a_jump_changes(self) -> None:
        self.assert_kernel("clobbers", "xor eax, eax", "xor eax, eax\n.more:\n        loop .more", "changes rcx")

    def test_a_register_that_is_not_changed(self) -> None:
        self.assert_kernel("clobbers", "rax xmm0", "rax rcx xmm0", "names rcx")

    def test_a_role_stands_for_its_register(self) -> None:
        self.asm(KERNEL.replace(INCLUDE, INCLUDE + "\n%define SUM rax").replace("Clobber  rax", "Clobber  SUM"))
        self.assert_holds("clobbers")

    def test_brackets_are_for_some_configurations(self) -> None:
        self.asm(KERNEL.replace("rax xmm0", "rax [rcx] xmm0"))
        self.assert_holds("clobbers")

    def test_a_deeper_stack(self) -> None:
        self.assert_kernel("depth", "Stack    8 bytes", "Stack    16 bytes", "uses 8 bytes of stack", "says 16")

    def test_a_stack_by_expression(self) -> None:
        self.asm(KERNEL.replace(INCLUDE, INCLUDE + "\n%define FRAME 4").replace("8 bytes", "2 * FRAME bytes"))
        self.assert_holds("depth")


class Paths(Case):
    def test_a_register_that_is_lost(self) -> None:
        code = "push rbx\n        mov ebx, 1\n        test edi, edi\n        jz .out\n"
        code += "        pop rbx\n        ret\n.out:\n        pop rax\n"
        self.assert_kernel("saved", "push rbx\n        xor eax, eax", code, "ret", "rbx is not restored")

    def test_the_direction_flag(self) -> None:
        self.assert_kernel("saved", "xor eax, eax", "xor eax, eax\n        std\n        cld", "direction flag")

    def test_mxcsr(self) -> None:
        self.assert_kernel("saved", "xor eax, eax", "xor eax, eax\n        ldmxcsr [rdi]", "MXCSR")

    def test_an_unbalanced_return(self) -> None:
        code = "pop rbx\n        test edi, edi\n        jz .out\n        push rbx\n.out:\n"
        self.assert_kernel("stack", "pop rbx\n", code, "stack pointer differs between the paths")

    def test_a_return_from_the_wrong_place(self) -> None:
        self.assert_kernel("stack", "pop rbx\n", "", "ret", "another stack pointer")

    def test_code_without_an_end(self) -> None:
        self.assert_kernel("stack", "        ret\n", "", "control leaves the code")

    def test_a_jump_to_an_unknown_place(self) -> None:
        self.assert_kernel("stack", "        ret\n", "        jmp rax\n", "jmp rax", "cannot be told where this")

    def test_a_function_that_calls_itself(self) -> None:
        self.assert_kernel("stack", "xor eax, eax", "call NAME(powers)", "call", "calls itself")

    def test_a_stack_pointer_that_is_computed(self) -> None:
        self.asm(KERNEL.replace("xor eax, eax", "sub rsp, rax"))
        self.assertIn("the stack pointer is not known here", self.findings("stack")[0])

    def test_the_red_zone(self) -> None:
        self.assert_kernel("red-zone", "xor eax, eax", "mov [rsp - 8], rax", "[rsp-0x8],rax", "8 bytes below rsp")

    def test_the_red_zone_by_another_register(self) -> None:
        code = "mov rax, rsp\n        mov [rax - 16], rax"
        self.assert_kernel("red-zone", "xor eax, eax", code, "16 bytes below rsp")

    def test_an_aligned_frame_is_followed(self) -> None:
        code = "push rbp\n        mov rbp, rsp\n        sub rsp, 64\n        and rsp, -64\n        mov [rsp], rbx\n"
        code += "        mov ebx, 1\n        mov rbx, [rsp]\n        mov rsp, rbp\n        pop rbp\n        ret\n"
        self.asm(KERNEL.replace("push rbx\n", code))
        for rule in ("saved", "stack", "red-zone"):
            self.assertEqual([str(f) for f in self.findings(rule)], [])

    def test_how_deep_an_aligned_frame_is(self) -> None:
        """C calls with an aligned stack, other kernels need not."""
        code = "push rbp\n        mov rbp, rsp\n        sub rsp, 24\n"
        code += "        and rsp, -16\n        mov rsp, rbp\n        pop rbp"
        text = KERNEL.replace("xor eax, eax", code)
        self.asm(text.replace("Stack    8", "Stack    40"))
        self.assert_holds("depth")
        self.again()
        inner = "An inner function: a register contract of its own."
        text = text.replace("void f(struct vg_aes_gcm *gcm);", inner).replace("FUNCTION", "INNER")
        self.asm(text.replace("powers", "other").replace("Stack    8", "Stack    48"), "other")
        self.assert_holds("depth")

    def test_upper_halves_that_stay(self) -> None:
        code = KERNEL.replace("pshufb xmm0, xmm0", "vpxor ymm0, ymm0, ymm0")
        self.asm(code.replace("pop rbx", "vzeroupper\n        pop rbx"), "powers", AVX512)
        self.assert_holds("vzeroupper")
        self.again()
        self.asm(code, "powers", AVX512)
        self.assert_finds("vzeroupper", "powers.asm", "vg_powers_vaes_vpclmul_avx512", "ret", "without vzeroupper")

    def test_an_entry_without_endbr64(self) -> None:
        self.assert_kernel("endbr64", "FUNCTION NAME(powers)", "INNER NAME(powers)", "push rbx", "endbr64")


if __name__ == "__main__":
    unittest.main()
