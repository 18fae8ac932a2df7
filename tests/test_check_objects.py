"""tools/check, the archive as a whole: variants that mix, names, sections, relocations, links and the deepest stack."""

import os
import subprocess
import unittest

from check_case import KERNEL, ROOT, Case

PUBLIC = f"""#include "{ROOT}/src/internal.h"
const unsigned char VG_CONFIG_SYMBOL = 1;
enum vg_status vg_aes_gcm_init(struct vg_aes_gcm *gcm, const uint8_t *key, size_t key_len)
{{
    (void)key;
    (void)key_len;
    INIT
    return VG_OK;
}}
enum vg_status vg_aes_gcm_seal(const struct vg_aes_gcm *gcm, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                               size_t aad_len, uint8_t *text, size_t len, uint8_t tag[16])
{{
    (void)gcm, (void)nonce, (void)nonce_len, (void)aad, (void)aad_len, (void)text, (void)len, (void)tag;
    return VG_OK;
}}
"""
TABLE = f"""#include "{ROOT}/src/internal.h"
const struct vg_variant vg_variant_NAME = {{.name = "NAME", OPERATIONS}};
"""
SLOT = "extern int vg_cpu_slot;\nint vg_cpu_slot;\n"
OTHER = KERNEL.replace("powers", "other").replace("%include", "extern vg_powers_aesni_pclmul\n%include", 1)


def public(init: str = "(void)gcm;") -> str:
    return PUBLIC.replace("INIT", init)


class Variants(Case):
    def test_code_of_another_variant(self) -> None:
        self.asm(KERNEL)
        self.asm(OTHER.replace("xor eax, eax", "call vg_powers_aesni_pclmul"), "other", "aesni_pclmul_avx")
        self.assert_finds("isolation", "other.asm", "vg_other_aesni_pclmul_avx", "call", "to vg_powers_aesni_pclmul")

    def test_constants_of_another_variant(self) -> None:
        self.asm(KERNEL)
        self.asm(OTHER.replace("xor eax, eax", "lea rax, [vg_powers_aesni_pclmul]"), "other", "aesni_pclmul_avx")
        self.assert_finds("isolation", "other.asm", "vg_other_aesni_pclmul_avx", "lea", "to vg_powers_aesni_pclmul")

    def table(self, variant: str, operations: str) -> None:
        self.c(TABLE.replace("NAME", variant).replace("OPERATIONS", operations), f"src-variants-{variant}")

    def test_an_operation_that_one_variant_lacks(self) -> None:
        self.asm(KERNEL)
        both = ("aesni_pclmul", "aesni_pclmul_avx")
        self.asm(KERNEL.replace("powers", "init"), "init")
        self.asm(KERNEL, "powers", "aesni_pclmul_avx")
        self.table("aesni_pclmul", ".init = vg_init_aesni_pclmul, .powers = vg_powers_aesni_pclmul")
        self.table("aesni_pclmul_avx", ".powers = vg_powers_aesni_pclmul_avx")
        self.assert_finds("operations", "src-variants-aesni_pclmul_avx.c", "is missing", variants=both)

    def test_a_variant_without_a_table(self) -> None:
        self.asm(KERNEL)
        self.table("aesni_pclmul", ".powers = vg_powers_aesni_pclmul")
        self.assert_finds("operations", "portable has no table", variants=("aesni_pclmul", "portable"))

    def test_another_contract(self) -> None:
        self.asm(KERNEL)
        self.asm(KERNEL.replace("; Out      *gcm", "; Out      *gcm, some"), "powers", "aesni")
        self.assert_finds("operations", "powers.asm", "vg_powers_aesni", "Out differs from that of vg_powers_")

    def test_what_nothing_uses(self) -> None:
        self.c(public("vg_powers_aesni_pclmul(gcm);"))
        self.asm(KERNEL)
        self.assert_holds("unused")
        self.again()
        self.c(public())
        self.asm(KERNEL)
        self.assert_finds("unused", "powers.asm", "vg_powers_aesni_pclmul", "nothing that a user can call leads to")


class Objects(Case):
    def test_a_name_without_prefix(self) -> None:
        self.asm(KERNEL + "global helper:function hidden\nhelper:\n        ret\n")
        self.assert_finds("symbols", "powers.asm", "helper does not begin with vg_")

    def test_a_name_from_elsewhere(self) -> None:
        self.asm(KERNEL.replace("FUNCTION", "extern printf\nFUNCTION").replace("xor eax, eax", "call printf"))
        self.assert_finds("symbols", "powers.asm", "printf is not defined in the archive")

    def test_a_name_that_would_be_exported(self) -> None:
        self.asm(KERNEL + "global vg_more:function\nvg_more:\n        ret\n")
        self.assert_finds("symbols", "powers.asm", "vg_more is not hidden")

    def test_a_weak_name(self) -> None:
        self.c("__attribute__((weak)) void vg_weak(void);\nvoid vg_weak(void) {}\n")
        self.assert_finds("symbols", "src-test", "vg_weak is weak")

    def test_writable_data(self) -> None:
        self.c("extern int vg_cpu_slot, vg_more;\nint vg_cpu_slot;\n")
        self.assert_holds("sections")
        self.c("int vg_more = 1;\n", "src-more", "-Wno-all")
        found = self.findings("sections")
        self.assertIn("section .data.vg_more: 4 bytes of writable data [sections]", found[0])
        self.assertIn("8 bytes of writable data, and 4 are declared", found[1])

    def test_a_constructor(self) -> None:
        self.c(SLOT + "__attribute__((constructor)) static void f(void) { vg_cpu_slot = 1; }\n")
        self.assertIn("section .init_array: runs before main", self.findings("sections")[0])

    def test_an_executable_stack_and_a_missing_note(self) -> None:
        self.c(SLOT)
        self.asm("section .note.GNU-stack noalloc exec nowrite progbits\nsection .text\n        ret\n")
        found = self.findings("sections")
        self.assertIn("asks for an executable stack", found[0])
        self.assertIn("powers.asm (aesni_pclmul-powers.o): no note that says IBT and SHSTK", found[1])

    def test_no_note_for_the_stack(self) -> None:
        self.c(SLOT)
        self.asm(KERNEL)
        self.assert_holds("sections")
        self.run_tool("objcopy", "--remove-section=.note.GNU-stack", self.members[-1])
        self.assert_finds("sections", "powers.asm", "no .note.GNU-stack")

    def test_an_absolute_address_in_code(self) -> None:
        self.asm(KERNEL.replace("xor eax, eax", "mov rax, qword NAME(powers)"))
        self.assert_finds("relocations", "powers.asm", "vg_powers_aesni_pclmul", "movabs", "R_X86_64_64")

    def test_an_absolute_address_in_constants(self) -> None:
        self.asm(KERNEL + "section .rodata\n        dq NAME(powers)\n")
        self.assert_finds("relocations", "powers.asm", "R_X86_64_64", ".rodata")

    def test_a_library_links_and_runs(self) -> None:
        self.c(public("vg_powers_aesni_pclmul(gcm);"))
        self.asm(KERNEL)
        self.assert_holds("links")

    def test_text_relocations(self) -> None:
        self.c(public("vg_powers_aesni_pclmul(gcm);"))
        self.asm(KERNEL.replace("xor eax, eax", "mov rax, qword NAME(powers)"))
        found = self.findings("links")
        self.assertEqual(len(found), 3)
        for text, kind in zip(found, ("PIE", "static PIE", "a shared object")):
            self.assertIn(f"does not link as {kind}", text)

    def test_a_program_that_fails(self) -> None:
        self.c(public("(void)gcm; return VG_ERR_KEY_LEN;"))
        self.assertIn("linked as PIE, the program ends with status 1", self.findings("links")[0])

    def test_a_name_that_a_shared_object_exports(self) -> None:
        self.c(public())
        self.asm(KERNEL + "global vg_more:function\nvg_more:\n        ret\n")
        self.assert_finds("links", "a shared object that has it exports vg_more")

    def test_what_sections_cannot_drop(self) -> None:
        self.c(public("vg_powers_aesni_pclmul(gcm);"))
        self.asm(KERNEL)
        self.assert_holds("gc-sections")
        self.again()
        self.c(public("vg_powers_aesni_pclmul(gcm);"))
        more = KERNEL.replace("powers", "more").replace('%include "abi.inc"', "")
        self.asm(KERNEL + more.replace("pop rbx", 70 * "nop\n" + "pop rbx"))
        self.assert_finds("gc-sections", "powers.asm", "vg_more_aesni_pclmul", "kept, and nothing in the program uses")

    def test_more_stack_than_declared(self) -> None:
        self.c(public("vg_powers_aesni_pclmul(gcm);"))
        self.asm(KERNEL)
        self.assert_holds("call-depth")
        self.again()
        self.c(public("vg_powers_aesni_pclmul(gcm);"))
        self.asm(KERNEL.replace("xor eax, eax", "sub rsp, 4000\n        xor eax, eax\n        add rsp, 4000"))
        chain = "vg_aes_gcm_init > vg_powers_aesni_pclmul"
        self.assert_finds("call-depth", "src-test", "vg_aes_gcm_init", "bytes of stack", chain, "says 3,200 at most")

    def test_calls_through_a_table_are_followed(self) -> None:
        table = TABLE.replace("NAME", "aesni_pclmul").replace("OPERATIONS", ".powers = vg_powers_aesni_pclmul")
        self.c(table, "src-variants-aesni_pclmul")
        text = public("vg_variant_table[gcm->variant]->powers(gcm);")
        self.c(text + "const struct vg_variant *const vg_variant_table[] = {&vg_variant_aesni_pclmul};\n")
        self.asm(KERNEL.replace("xor eax, eax", "sub rsp, 4000\n        xor eax, eax\n        add rsp, 4000"))
        self.assert_finds("call-depth", "src-test", "vg_aes_gcm_init > vg_powers_aesni_pclmul", "says 3,200 at most")


class Tool(Case):
    def tool(self, *options: str) -> tuple[int, str]:
        command = [os.path.join(ROOT, "tools/check"), *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertNotIn("Traceback", done.stdout)
        return done.returncode, done.stdout

    def test_a_table_of_functions_by_rules(self) -> None:
        self.asm(KERNEL.replace("pshufb", "aesenc"))
        self.asm(KERNEL.replace("powers", "other").replace("pshufb", "aesenc"), "other", "pclmul")
        self.build()
        status, text = self.tool("-C", self.folder, "instructions", "timing")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"\| file +\| function +\| instructions \| timing \|")
        self.assertRegex(text, r"\| aesni_pclmul-powers.o +\| vg_powers_aesni_pclmul +\| ok +\| ok +\|")
        self.assertRegex(text, r"\| pclmul-other.o +\| vg_other_pclmul +\| 1 +\| ok +\|")
        self.assertRegex(text, r"pclmul-other.o\): vg_other_pclmul: \w+: aesenc xmm0,xmm0: needs aes")
        self.assertIn("1 passed, 1 failed, 0 skipped", text)

    def test_the_table_is_kept(self) -> None:
        self.asm(KERNEL)
        self.build()
        status, text = self.tool("-C", self.folder)
        self.assertEqual(status, 1, "one kernel is no library")
        with open(os.path.join(self.folder, "check.txt"), encoding="utf-8") as file:
            kept = file.read()
        self.assertEqual(text, kept + text[len(kept) :])
        self.assertIn("| vg_powers_aesni_pclmul ", kept)
        self.assertIn("[sections]", kept)

    def test_a_rule_that_sees_nothing_fails(self) -> None:
        self.c(SLOT)
        self.assert_finds("instructions", "nothing was looked at")

    def test_mistakes(self) -> None:
        for options, part in (
            (["-C", "/nowhere"], "not a build folder"),
            (["-C", self.folder], "no libvg.a"),
            (["nonsense"], "there is no rule nonsense"),
        ):
            status, text = self.tool(*options)
            self.assertGreater(status, 0)
            self.assertIn(part, text)


if __name__ == "__main__":
    unittest.main()
