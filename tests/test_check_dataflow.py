"""The checks constant-time and left-behind of tools/check: each of their rules is broken by a few lines of assembly, and
what is said of it names file, function, instruction and rule. Good code passes."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "tools"))

from machinecheck.banners import prototype  # noqa: E402
from machinecheck.dataflow import constant_time, left_behind  # noqa: E402
from machinecheck.dataflow.analysis import analyse  # noqa: E402
from machinecheck.dataflow.contract import contract  # noqa: E402
from machinecheck.dataflow.layout import Layout  # noqa: E402
from machinecheck.dataflow.liveness import mark  # noqa: E402
from machinecheck.dataflow.program import Program  # noqa: E402
from machinecheck.dataflow.structures import Structures  # noqa: E402
from machinecheck.frame import RULES, Report  # noqa: E402
from machinecheck.machine import read_objects  # noqa: E402

LAYOUT = Layout({"vg_aes_gcm": 512}, {"vg_aes_gcm": {"rounds": 256, "variant": 260, "prepared": 264, "calls": 268}})
SHAPE = prototype(
    "uint32_t f(const struct vg_aes_gcm *gcm, const uint8_t *key, const uint8_t *src, uint8_t *dst, size_t n, "
    "const uint8_t tag[16]);"
)
SECRET, PUBLIC = "*gcm, key, src, dst", "pointers, n, tag, verdict"
# rdi = gcm, rsi = key, rdx = src, rcx = dst, r8 = n, r9 = tag


class Small(unittest.TestCase):
    """A function f of a few lines, in a file of its own."""

    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name

    def look(self, code: str, shape=SHAPE, secret: str = SECRET, public: str = PUBLIC, data: str = ""):
        """Findings against constant time, and of secrets left behind."""
        path = os.path.join(self.place, "small.asm")
        made = os.path.join(self.place, "small.o")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"default rel\nsection .text\nglobal f:function\nf:\n{code}\nsection .rodata\n{data}\n")
        done = subprocess.run(["nasm", "-f", "elf64", "-o", made, path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        program = Program(read_objects(made))
        mark(program)
        function = next(f for f in program.objects[0].functions if f.name == "f")
        structures = Structures(LAYOUT, 3, (16, 24, 32))
        result = analyse(program, function, contract(shape, secret, public), structures)
        timing, wiping = Report(RULES["constant-time"]), Report(RULES["left-behind"])
        constant_time.tell(timing, result)
        left_behind.tell(wiping, result)
        self.notes = timing.notes
        return [str(f) for f in timing.findings], [str(f) for f in wiping.findings]

    def passes(self, code: str, **options: str) -> None:
        self.assertEqual(self.look(code, **options), ([], []))

    def finds(self, code: str, instruction: str, text: str, function: str = "f", **options: str) -> None:
        """One finding against constant time; instruction and text are expressions."""
        found, _ = self.look(code, **options)
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], rf"^small\.o: {function}: [0-9a-f]+: {instruction}.*: .*{text}.* \[constant-time\]$")

    def leaves(self, code: str, where: str, writer: str) -> None:
        timing, found = self.look(code)
        self.assertEqual(timing, [])
        self.assertEqual(len(found), 1, found)
        text = rf"a secret is left in {where}, from [0-9a-f]+: {writer}"
        self.assertRegex(found[0], rf"^small\.o: f: [0-9a-f]+: ret: {text}.* \[left-behind\]$")


CLEAN = "xor eax, eax\n ret"


class ConstantTime(Small):
    def test_branch(self) -> None:
        self.finds(f"mov al, [rsi]\n test al, al\n jz .a\n.a: {CLEAN}", "je", "the branch depends on a secret")

    def test_branch_on_a_count(self) -> None:
        self.finds(f"movzx ecx, byte [rsi]\n jrcxz .a\n.a: {CLEAN}", "jrcxz", "the branch depends on a secret")

    def test_address_of_a_load(self) -> None:
        self.finds(f"movzx eax, byte [rsi]\n mov al, [rdx + rax]\n {CLEAN}", "mov al", "the address depends on a secret")

    def test_address_of_a_store(self) -> None:
        code = f"movzx eax, byte [rsi]\n mov byte [rcx + rax], 0\n {CLEAN}"
        self.finds(code, "mov BYTE", "the address depends on a secret")

    def test_address_of_a_table(self) -> None:
        code = f"movzx eax, byte [rsi]\n lea r10, [table]\n movdqu xmm0, [r10 + rax]\n pxor xmm0, xmm0\n {CLEAN}"
        self.finds(code, "movdqu", "the address depends on a secret", data="table: times 64 db 1")

    def test_prefetch(self) -> None:
        self.finds(f"mov rax, [rsi]\n prefetcht0 [rdx + rax]\n {CLEAN}", "prefetcht0", "the address depends on a secret")

    def test_repeat_count(self) -> None:
        code = f"mov rdi, rcx\n movzx ecx, byte [rsi]\n xor eax, eax\n rep stosb\n {CLEAN}"
        self.finds(code, "rep stos", "the count of a repeated instruction depends on a secret")

    def test_shift_count(self) -> None:
        code = f"mov r10, rcx\n mov cl, [rsi]\n shl r8, cl\n xor ecx, ecx\n {CLEAN}"
        self.finds(code, "shl", "a shift count depends on a secret")

    def test_division(self) -> None:
        code = f"mov eax, [rsi]\n xor edx, edx\n div r8d\n {CLEAN}"
        self.finds(code, "div", "a division of secrets")

    def test_deposit(self) -> None:
        self.finds(f"mov rax, [rsi]\n pdep rax, r8, rax\n {CLEAN}", "pdep", "pdep takes time that depends on a secret")

    def test_jump_target(self) -> None:
        self.finds("mov rax, [rsi]\n jmp rax", "jmp", "the target depends on a secret")

    def test_through_vector_registers(self) -> None:
        code = f"vmovdqu ymm1, [rsi]\n vpaddd ymm2, ymm1, ymm1\n vextracti128 xmm3, ymm2, 1\n vpmovmskb eax, xmm3\n"
        self.finds(code + f"test eax, eax\n jz .a\n.a: {CLEAN}", "je", "the branch depends on a secret")

    def test_through_a_mask(self) -> None:
        code = "vmovdqu64 zmm1, [rsi]\n vptestmb k1, zmm1, zmm1\n kshiftrq k2, k1, 3\n kortestq k2, k2\n"
        self.finds(code + f"jc .a\n.a: {CLEAN}", "jb", "the branch depends on a secret")

    def test_a_secret_mask_of_a_load(self) -> None:
        code = "vmovdqu8 xmm1, [rsi]\n vpmovb2m k1, xmm1\n vmovdqu8 zmm2{k1}{z}, [rdx]\n"
        self.finds(code + CLEAN, "vmovdqu8 zmm2", "which bytes are read depends on a secret")

    def test_a_secret_mask_of_a_store(self) -> None:
        code = "vmovdqu8 xmm1, [rsi]\n vpmovb2m k1, xmm1\n vmovdqu8 [rcx]{k1}, zmm2\n"
        self.finds(code + CLEAN, "vmovdqu8 ZMM", "which bytes are written depends on a secret")

    def test_through_the_stack(self) -> None:
        code = "mov rax, [rsi]\n push rax\n push 0\n lea r10, [rsp + 8]\n mov rax, [r10]\n add rsp, 16\n test rax, rax\n"
        self.finds(code + f"js .a\n.a: {CLEAN}", "js", "the branch depends on a secret")

    def test_through_flags(self) -> None:
        code = f"cmp byte [rsi], 3\n mov eax, 0\n cmovb rax, r8\n mov al, [rdx + rax]\n {CLEAN}"
        self.finds(code, "mov al", "the address depends on a secret")

    def test_through_a_condition(self) -> None:
        code = f"cmp byte [rsi], 3\n setb al\n test al, al\n jz .a\n.a: {CLEAN}"
        self.finds(code, "je", "the branch depends on a secret")

    def test_through_a_callee(self) -> None:
        code = f"movzx eax, byte [rsi]\n call inner\n {CLEAN}\ninner: test eax, eax\n jz .a\n.a: ret"
        self.finds(code, "je", "the branch depends on a secret, called from f", function="inner")

    def test_in_the_second_turn_of_a_loop(self) -> None:
        code = ".next: test r10, r10\n jz .a\n.a: mov r10, r11\n mov r11, [rsi]\n dec r8\n jnz .next\n"
        found, _ = self.look("xor r10, r10\n xor r11, r11\n" + code + CLEAN)
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], r"f: [0-9a-f]+: je .*the branch depends on a secret")

    def test_on_one_path_of_two(self) -> None:
        code = f"xor eax, eax\n cmp r8, 100\n jb .a\n mov eax, [rsi]\n.a: test eax, eax\n jz .b\n.b: {CLEAN}"
        self.finds(code, "je", "the branch depends on a secret")

    def test_the_key_is_secret_but_for_its_rounds(self) -> None:
        code = f"mov eax, [rdi + {{}}]\n cmp eax, 12\n jb .a\n.a: {CLEAN}"
        self.passes(code.format(256))
        self.finds(code.format(252), "jb", "the branch depends on a secret")
        self.finds(code.format(254), "jb", "the branch depends on a secret")

    def test_secrets_in_public_memory(self) -> None:
        code = f"movdqu xmm0, [rsi]\n movdqu [rcx], xmm0\n pxor xmm0, xmm0\n {CLEAN}"
        self.passes(code)
        shape = prototype("void f(const uint8_t *data, const uint8_t *key, const uint8_t *src, uint8_t dst[16]);")
        options = {"shape": shape, "secret": "key", "public": "pointers, data, src, dst"}
        self.finds(code, "movdqu XMM", r"writes a secret to dst\+0x0, which is public", **options)

    def test_writes_to_what_is_const(self) -> None:
        self.finds(f"mov byte [rdx], 0\n {CLEAN}", "mov BYTE", "writes to src, which is const")


class Unknown(Small):
    """What the interpreter does not understand is never passed over."""

    def test_instruction(self) -> None:
        self.finds("rcpps xmm0, xmm1\n " + CLEAN, "rcpps", "there is no rule for rcpps")

    def test_prefix(self) -> None:
        self.finds("mov rsi, rdx\n repne scasb\n " + CLEAN, "repnz scas", "there is no rule for repnz scas")

    def test_gather(self) -> None:
        code = "kxnorw k1, k1, k1\n vpgatherdd zmm1{k1}, [rdx + zmm2 * 4]\n " + CLEAN
        self.finds(code, "vpgatherdd", "address")

    def test_indirect_jump(self) -> None:
        self.finds("mov rax, [rdx + 8]\n and eax, 1\n jmp r8", "jmp", "an indirect jump without a known table")

    def test_call_of_another_file(self) -> None:
        self.finds("extern other\n call other\n " + CLEAN, "call", "a call of other")

    def test_write_to_nowhere(self) -> None:
        self.finds("mov [r8], r8\n " + CLEAN, "mov QWORD", "no memory that this function was given")

    def test_read_from_nowhere(self) -> None:
        self.finds("mov rax, [r8]\n " + CLEAN, "mov rax", "no memory that this function was given")

    def test_write_somewhere_on_the_stack(self) -> None:
        self.finds("mov byte [rsp + r8 - 64], 0\n " + CLEAN, "mov BYTE", "the stack, but where is not known")

    def test_return_address(self) -> None:
        self.finds("mov byte [rsp + 4], 0\n " + CLEAN, "mov BYTE", "over the return address")

    def test_return_to_somewhere(self) -> None:
        self.finds("push r8\n ret", "ret", "returns, but not to where its caller wants")

    def test_end_of_the_code(self) -> None:
        self.finds("xor eax, eax", "xor", "runs on behind the end of the code")

    def test_thread_memory(self) -> None:
        self.finds("mov rax, [fs:0x28]\n " + CLEAN, "mov rax", "in segment fs")


COMPARED = "movdqu xmm0, [rsi]\n movdqu xmm1, [r9]\n "
FORGET = "pxor xmm0, xmm0\n pxor xmm1, xmm1\n xor ecx, ecx\n " + CLEAN


class Verdict(Small):
    def test_of_bytes(self) -> None:
        code = COMPARED + "pcmpeqb xmm1, xmm0\n pmovmskb ecx, xmm1\n {} ecx, 0xffff\n je .a\n.a: " + FORGET
        for name in ("xor", "cmp", "sub"):
            with self.subTest(name):
                self.passes(code.format(name))
                self.assertEqual(len(self.notes), 1, self.notes)
                self.assertIn("the verdict is public", self.notes[0])

    def test_of_a_difference(self) -> None:
        self.passes(COMPARED + "vpxor xmm1, xmm1, xmm0\n vptest xmm1, xmm1\n jnz .a\n.a: " + FORGET)

    def test_of_a_mask(self) -> None:
        code = COMPARED + "vpcmpeqb k1, xmm1, xmm0\n kortestw k1, k1\n j{} .a\n.a: kxorq k1, k1, k1\n" + FORGET
        self.passes(code.format("c"))
        self.finds(code.format("z"), "je", "the branch depends on a secret")

    def test_which_byte_differs_is_no_verdict(self) -> None:
        code = COMPARED + "pcmpeqb xmm1, xmm0\n pmovmskb ecx, xmm1\n {}\n.a: " + FORGET
        self.finds(code.format("test ecx, ecx\n jz .a"), "je", "the branch depends on a secret")
        self.finds(code.format("cmp ecx, 0xff\n je .a"), "je", "the branch depends on a secret")
        self.finds(code.format("xor ecx, 0xffff\n test ecx, 1\n jz .a"), "je", "the branch depends on a secret")

    def test_of_two_secrets_is_none(self) -> None:
        code = "movdqu xmm0, [rsi]\n movdqu xmm1, [rdx]\n pcmpeqb xmm1, xmm0\n pmovmskb ecx, xmm1\n"
        self.finds(code + "cmp ecx, 0xffff\n je .a\n.a: " + FORGET, "je", "the branch depends on a secret")

    def test_must_be_declared(self) -> None:
        code = COMPARED + "pcmpeqb xmm1, xmm0\n pmovmskb ecx, xmm1\n cmp ecx, 0xffff\n je .a\n.a: " + FORGET
        self.finds(code, "je", "the branch depends on a secret", public="pointers, n, tag")

    def test_leaves_nothing_but_itself(self) -> None:
        code = COMPARED + "pcmpeqb xmm1, xmm0\n pmovmskb ecx, xmm1\n xor ecx, 0xffff\n setz al\n movzx eax, al\n"
        self.leaves(code + "pxor xmm0, xmm0\n pxor xmm1, xmm1\n ret", "rcx", "xor ecx,0xffff")


class LeftBehind(Small):
    def test_vector_registers(self) -> None:
        self.leaves("movdqu xmm7, [rsi]\n " + CLEAN, "xmm7", "movdqu")
        self.leaves("vmovdqu ymm7, [rsi]\n vzeroupper\n " + CLEAN, "xmm7", "vmovdqu")
        self.leaves("vmovdqu64 zmm31, [rsi]\n vzeroall\n " + CLEAN, "zmm31", "vmovdqu64")

    def test_sse_keeps_what_lies_above(self) -> None:
        code = "vmovdqu ymm7, [rsi]\n {} xmm7, {}\n " + CLEAN
        self.leaves(code.format("pxor", "xmm7"), "ymm7", "vmovdqu")
        self.passes(code.format("vpxor", "xmm7, xmm7"))

    def test_masked_writes(self) -> None:
        code = "mov eax, 255\n kmovd k1, eax\n vmovdqu8 zmm1, [rsi]\n vpxord zmm1{{k1}}{}, zmm2, zmm2\n" + CLEAN
        self.leaves(code.format(""), "zmm1", "vpxord")
        self.passes(code.format("{z}"))

    def test_shuffles_blends_and_products(self) -> None:
        for name in ("vpshufb xmm1, xmm0, xmm2", "vpclmulqdq xmm1, xmm0, xmm2, 1", "vaesenc xmm1, xmm2, xmm0",
                     "vpternlogd xmm1, xmm2, xmm0, 0x96", "vpalignr xmm1, xmm0, xmm2, 4", "vpblendd xmm1, xmm2, xmm0, 1",
                     "vpunpckhqdq xmm1, xmm2, xmm0", "vpsrldq xmm1, xmm0, 8", "vpaddq xmm1, xmm2, xmm0",
                     "vinserti64x2 ymm1, ymm2, xmm0, 1", "valignq xmm1, xmm0, xmm2, 1", "vpermq zmm1, zmm0, 1",
                     "vshufi64x2 zmm1, zmm2, zmm0, 1", "vbroadcasti32x4 zmm1, [rsi]"):  # fmt: skip
            with self.subTest(name):
                self.leaves(f"vmovdqu xmm0, [rsi]\n {name}\n vpxor xmm0, xmm0, xmm0\n {CLEAN}", "[xyz]mm1", name.split()[0][:7])

    def test_mask_register(self) -> None:
        code = "vmovdqu64 zmm1, [rsi]\n vpmovb2m k3, zmm1\n vpxor xmm1, xmm1, xmm1\n " + CLEAN
        self.leaves(code, "k3", "vpmovb2m")

    def test_general_registers(self) -> None:
        self.leaves("mov r10, [rsi]\n " + CLEAN, "r10", "mov")
        self.leaves("mov r10, [rsi]\n xor r10b, r10b\n " + CLEAN, "r10", "mov")
        self.passes("mov r10, [rsi]\n xor r10d, r10d\n " + CLEAN)

    def test_result(self) -> None:
        self.leaves("mov eax, [rsi]\n ret", "rax", "mov")

    def test_dead_stack(self) -> None:
        code = "mov rax, [rsi]\n push rax\n pop r10\n xor r10d, r10d\n "
        self.leaves(code + CLEAN, "the stack at rsp-8", "push")
        self.passes(code + "push 0\n pop rax\n " + CLEAN)

    def test_one_slot_of_a_table(self) -> None:
        code = "movdqu xmm0, [rsi]\n sub rsp, 72\n movdqa [rsp + 48], xmm0\n movdqa [rsp], xmm0\n pxor xmm0, xmm0\n "
        code += "lea r10, [rsp + {}]\n mov r11d, 4\n.wipe: movdqa [r10], xmm0\n add r10, 16\n dec r11d\n jnz .wipe\n "
        code += "add rsp, 72\n " + CLEAN
        self.passes(code.format("0"))
        self.finds_slots(code.format("8"), 1)

    def finds_slots(self, code: str, slots: int) -> None:
        timing, found = self.look(code)
        self.assertEqual(timing, [])
        self.assertEqual(len(found), slots, found)
        self.assertTrue(all("the stack at rsp-" in text for text in found), found)

    def test_aligned_table(self) -> None:
        code = "push rbp\n mov rbp, rsp\n sub rsp, 128\n and rsp, -64\n vmovdqu64 zmm0, [rsi]\n vmovdqa64 [rsp], zmm0\n "
        code += "vpxor xmm0, xmm0, xmm0\n {}\n leave\n vzeroupper\n " + CLEAN
        self.passes(code.format("vmovdqa64 [rsp], zmm0"))
        _, found = self.look(code.format("vmovdqa [rsp], ymm0"))
        self.assertGreater(len(found), 0)

    def test_on_one_path_of_two(self) -> None:
        code = "movdqu xmm3, [rsi]\n cmp r8, 5\n jb .a\n pxor xmm3, xmm3\n.a: " + CLEAN
        self.leaves(code, "xmm3", "movdqu")

    def test_in_a_callee(self) -> None:
        self.leaves("call inner\n " + CLEAN + "\ninner: movdqu xmm3, [rsi]\n ret", "xmm3", "movdqu")


class Good(Small):
    def test_zero_idioms(self) -> None:
        for zero in ("pxor xmm1, xmm1", "vpxor xmm1, xmm1, xmm1", "xorps xmm1, xmm1", "vpxord zmm1, zmm1, zmm1",
                     "psubd xmm1, xmm1", "pcmpeqd xmm1, xmm1", "vpternlogd zmm1, zmm1, zmm1, 0xff", "vzeroall"):  # fmt: skip
            with self.subTest(zero):
                self.passes(f"movdqu xmm1, [rsi]\n {zero}\n {CLEAN}")

    def test_a_tail_under_a_mask(self) -> None:
        code = "mov rax, -1\n bzhi rax, rax, r8\n kmovq k1, rax\n vmovdqu8 zmm0{k1}{z}, [rdx]\n vmovdqu8 [rcx]{k1}, zmm0\n"
        self.passes(code + "vpxor xmm0, xmm0, xmm0\n vzeroupper\n " + CLEAN)

    def test_public_counts_and_shifts(self) -> None:
        code = "mov r10, rcx\n mov ecx, r8d\n and ecx, 7\n mov rax, [rsi]\n shl r8, cl\n mov rdi, r10\n mov ecx, 16\n "
        self.passes(code + "xor eax, eax\n rep stosq\n " + CLEAN)

    def test_rounds_from_the_end(self) -> None:
        code = "mov eax, [rdi + 256]\n shl eax, 4\n lea r10, [rdi + rax + 272]\n neg rax\n movdqu xmm0, [rdx]\n"
        code += ".round: aesenc xmm0, [r10 + rax]\n add rax, 16\n jnz .round\n movdqu [rcx], xmm0\n pxor xmm0, xmm0\n"
        self.passes(code + CLEAN)

    def test_jump_table(self) -> None:
        code = "cmp r8, 2\n ja .a\n lea rax, [table]\n movsxd r8, dword [rax + 4 * r8]\n add rax, r8\n {}.a: " + CLEAN
        data = "table: dd f.a - table, f.a - table, f.a - table"
        self.passes(code.format("jmp rax\n"), data=data)
        self.finds(code.format("add rax, 4\n jmp rax\n"), "jmp", "an indirect jump without a known table", data=data)

    def test_a_table_of_as_many_powers_as_wanted(self) -> None:
        code = "sub rsp, 136\n mov eax, 8\n cmp r8, rax\n cmovb rax, r8\n lea r10, [rsp + 128]\n movdqu xmm0, [rsi]\n"
        code += ".next: sub r10, 16\n movdqa [r10], xmm0\n sub rax, 1\n ja .next\n pxor xmm0, xmm0\n"
        code += "".join(f"movdqa [rsp + {16 * n}], xmm0\n" for n in range(8))
        self.passes(code + "add rsp, 136\n " + CLEAN)


if __name__ == "__main__":
    unittest.main()
