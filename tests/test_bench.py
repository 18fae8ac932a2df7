"""The arithmetic and the tables of the bench, on results made up here. Nothing is timed."""

import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "tools"))

from benchmark import Mistake, __main__ as bench, build, compare, sizes, tables  # noqa: E402
from benchmark.results import Results, Row, load, parse  # noqa: E402
from vgconfig.budget import functions_of_member  # noqa: E402
from benchmark.stats import ASIDE, FASTER, SAME, SLOWER, cliffs, group_time, judge, percentile, summary  # noqa: E402

LIMITS = compare.Limits(slower=0.10, control=0.10)


def candidate(name: str, peer: bool = False, wrong: str = "") -> dict:
    return {
        "type": "candidate",
        "name": name,
        "peer": peer,
        "version": "",
        "context_len": 512,
        "reference": "portable",
        "wrong": wrong,
    }


def result(
    name: str,
    ns: float,
    group: str = "seal",
    length: int = 64,
    bits: int = 128,
    keys: int = 1,
    aad: int = 13,
    number: int = 0,
) -> dict:
    return {
        "type": "result", "pass": number, "group": group, "key_bits": bits, "len": length, "aad_len": aad, "keys": keys,
        "candidate": name, "calls": 8, "core_ghz": 3.0, "quiet": True, "min": ns, "p25": ns, "median": ns,
    }  # fmt: skip


def made_up(times: dict[tuple[str, int], float], peers: tuple[str, ...] = ("peer",)) -> Results:
    """Results of sealing: a time for every candidate and length."""
    names = dict.fromkeys(name for name, _ in times)
    lines = [candidate(name, name in peers) for name in names]
    return Results(lines + [result(name, ns, length=length) for (name, length), ns in times.items()])


class Percentiles(unittest.TestCase):
    def test_is_always_one_of_the_samples(self):
        self.assertEqual(percentile([40, 10, 30, 20], 25), 10)
        self.assertEqual(percentile([40, 10, 30, 20], 50), 20)
        self.assertEqual(percentile([40, 10, 30, 20], 51), 30)
        self.assertEqual(percentile([40, 10, 30, 20], 100), 40)
        self.assertEqual(percentile([40, 10, 30, 20], 0), 10)
        self.assertEqual(percentile([7], 25), 7)

    def test_sixteen_samples(self):
        self.assertEqual(summary(list(range(16, 0, -1))), {"min": 1, "p25": 4, "median": 8})

    def test_outliers_do_not_count(self):
        self.assertEqual(percentile([10] * 5 + [1e9] * 11, 25), 10)

    def test_nothing_has_none(self):
        with self.assertRaises(ValueError):
            percentile([], 25)


class Cliffs(unittest.TestCase):
    def test_steady_rise_has_none(self):
        self.assertEqual(cliffs({n: 20 + n for n in range(512)}, 128, 0.15), [])

    def test_finds_the_length_and_the_share(self):
        times = {n: 20 + n + (50 if n >= 300 else 0) for n in range(2049)}
        self.assertEqual(group_time(times, 128), 128)
        found = cliffs(times, 128, 0.15)
        self.assertEqual([c.len for c in found], [300])
        self.assertEqual(found[0].rise, 51)
        self.assertAlmostEqual(found[0].share, 51 / 128)

    def test_limit_is_exclusive(self):
        times = {n: 100.0 * (n // 100) for n in range(1000)}
        self.assertEqual(cliffs(times, 100, 1.0), [])
        self.assertEqual([c.len for c in cliffs(times, 100, 0.99)], list(range(100, 1000, 100)))

    def test_falls_are_no_cliffs(self):
        self.assertEqual(cliffs({n: 500 + n - (100 if n >= 64 else 0) for n in range(512)}, 128, 0.15), [])

    def test_too_few_lengths(self):
        with self.assertRaises(ValueError):
            group_time({0: 1, 1: 2}, 128)

    def test_lengths_are_written_as_they_are_asked_for(self):
        self.assertEqual(tables.runs([]), "")
        self.assertEqual(tables.runs([1, 2]), "1,2")
        self.assertEqual(tables.runs([1, 2, 3, 19, 35, 51, 60]), "1-3,19-51:16,60")


class Verdicts(unittest.TestCase):
    def judge(self, base: dict, head: dict, controls: tuple[str, ...] = ("peer",)) -> dict:
        return {(v.row, v.candidate): v for v in judge(base, head, set(controls), 0.10, 0.10)}

    def test_words(self):
        base = {("a", "x"): 100.0, ("b", "x"): 100.0, ("c", "x"): 100.0, ("d", "x"): 100.0}
        head = {("a", "x"): 109.0, ("b", "x"): 112.0, ("c", "x"): 80.0, ("d", "x"): 92.0}
        words = {row: v.word for (row, _), v in self.judge(base, head).items()}
        self.assertEqual(words, {"a": SAME, "b": SLOWER, "c": FASTER, "d": SAME})

    def test_ratio(self):
        verdict = self.judge({("a", "x"): 50.0}, {("a", "x"): 75.0})["a", "x"]
        self.assertEqual(verdict.ratio, 1.5)

    def test_controls_are_not_judged(self):
        self.assertEqual(self.judge({("a", "peer"): 1.0}, {("a", "peer"): 9.0}), {})

    def test_moved_control_sets_its_row_aside(self):
        for moved in (130.0, 70.0):
            base = {("a", "x"): 100.0, ("a", "peer"): 100.0, ("b", "x"): 100.0, ("b", "peer"): 100.0}
            head = {("a", "x"): 150.0, ("a", "peer"): moved, ("b", "x"): 150.0, ("b", "peer"): 105.0}
            found = self.judge(base, head)
            self.assertEqual(found["a", "x"].word, ASIDE)
            self.assertEqual(found["a", "x"].control, "peer")
            self.assertEqual(found["a", "x"].control_ratio, moved / 100)
            self.assertEqual(found["b", "x"].word, SLOWER)

    def test_the_control_that_moved_most_is_named(self):
        base = {("a", "x"): 1.0, ("a", "p"): 100.0, ("a", "q"): 100.0}
        head = {("a", "x"): 1.0, ("a", "p"): 115.0, ("a", "q"): 70.0}
        self.assertEqual(self.judge(base, head, ("p", "q"))["a", "x"].control, "q")

    def test_only_what_both_have(self):
        found = self.judge({("a", "x"): 1.0, ("b", "x"): 1.0}, {("b", "x"): 1.0, ("c", "x"): 1.0})
        self.assertEqual(list(found), [("b", "x")])

    def test_status(self):
        base = made_up({("ours", 64): 100, ("peer", 64): 50})
        for ours, peer, status in ((105, 50, 0), (120, 50, 1), (80, 50, 0), (120, 60, 2)):
            judged = compare.verdicts(base, made_up({("ours", 64): ours, ("peer", 64): peer}), LIMITS)
            self.assertEqual(compare.status(judged), status, (ours, peer))


class Confirming(unittest.TestCase):
    def confirm(self, head_again: list[dict[tuple[str, int], float]], rounds: int = 3):
        """Our 64-byte row looks slow at first; the rounds give these times."""
        base = made_up({("ours", 64): 100, ("peer", 64): 50, ("ours", 256): 200, ("peer", 256): 90})
        head = made_up({("ours", 64): 130, ("peer", 64): 50, ("ours", 256): 200, ("peer", 256): 90})
        asked: list[list[str]] = []
        pending = iter(head_again)

        def measure_base(arguments):
            asked.append(list(arguments))
            return made_up({("ours", 64): 101, ("peer", 64): 51})

        with redirect_stderr(io.StringIO()):
            judged = compare.confirm(base, head, measure_base, lambda _: made_up(next(pending)), LIMITS, rounds)
        return {v.row.len: v.word for v in judged}, asked

    def test_a_disturbance_goes_away(self):
        words, asked = self.confirm([{("ours", 64): 104, ("peer", 64): 50}])
        self.assertEqual(words, {64: SAME, 256: SAME})
        self.assertEqual(len(asked), 1)

    def test_only_suspects_and_their_controls_are_measured_again(self):
        _, asked = self.confirm([{("ours", 64): 104, ("peer", 64): 50}])
        wanted = "--group seal --sizes 64 --key-bits 128 --candidates ours,peer --passes 1 --settle 0"
        self.assertEqual(" ".join(asked[0]), wanted)

    def test_slow_in_every_round_is_slower(self):
        words, asked = self.confirm([{("ours", 64): 125, ("peer", 64): 50}] * 3)
        self.assertEqual(words[64], SLOWER)
        self.assertEqual(len(asked), 3)

    def test_the_fastest_round_counts(self):
        words, _ = self.confirm([{("ours", 64): 109, ("peer", 64): 50}, {("ours", 64): 140, ("peer", 64): 50}])
        self.assertEqual(words[64], SAME)

    def test_passes_alternate(self):
        order = []
        base, head = compare.alternate(
            lambda _: order.append("A") or made_up({("ours", 64): 3 - len(order) / 10}),
            lambda _: order.append("B") or made_up({("ours", 64): 5}),
            3,
        )
        self.assertEqual("".join(order), "ABBAAB")
        self.assertAlmostEqual(base.times()[Row("seal", 128, 1, 13, 64), "ours"], 2.5)
        self.assertEqual(len(head.of_type("result")), 3)


class Kept(unittest.TestCase):
    def test_samples_become_statistics(self):
        line = result("ours", 0)
        for name in ("min", "p25", "median"):
            del line[name]
        line["ns"] = [4, 3, 2, 1]
        results = parse([json.dumps(line)], "here")
        self.assertEqual(results.lines[0]["p25"], 1)
        self.assertEqual(results.lines[0]["median"], 2)
        self.assertNotIn("ns", results.lines[0])

    def test_the_fastest_pass_counts(self):
        results = Results(
            [
                candidate("ours"),
                result("ours", 12, number=0),
                result("ours", 10, number=1),
                result("ours", 11, number=2),
            ]
        )
        self.assertEqual(results.times(), {(Row("seal", 128, 1, 13, 64), "ours"): 10})

    def test_passes_on_a_shared_core_count_only_where_there_is_no_other(self):
        results = Results([candidate("ours"), result("ours", 12, number=0), result("ours", 10, number=1)])
        results.lines[2]["quiet"] = False
        self.assertEqual(list(results.times().values()), [12])
        self.assertEqual(results.never_quiet(), 0)
        results.lines[1]["quiet"] = False
        self.assertEqual(list(results.times().values()), [10])
        self.assertEqual(results.never_quiet(), 1)
        self.assertIn("shared", build.warnings(results)[0])

    def test_saved_and_loaded(self):
        results = made_up({("ours", 64): 10, ("peer", 64): 20})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kept.json")
            results.save(path)
            self.assertEqual(load(path).lines, results.lines)

    def test_what_is_no_result_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kept.json")
            for text in ("", "not json\n", '{"type": "result"}\n', "[1]\n", '{"type": "clock"}\n'):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                with self.assertRaises(Mistake, msg=text):
                    load(path)
            with self.assertRaises(Mistake):
                load(os.path.join(folder, "absent.json"))


class Tables(unittest.TestCase):
    def test_best_is_bold_and_ratios_are_to_the_peer(self):
        results = made_up({("ours", 64): 10, ("peer", 64): 20, ("ours", 256): 90, ("peer", 256): 60})
        table = tables.timing_table(results, "seal", 128, "peer", "p25", per_byte=False).splitlines()
        self.assertEqual([cell.strip() for cell in table[0].strip("|").split("|")], ["seal, AES-128", "ours", "peer"])
        self.assertEqual([cell.strip() for cell in table[2].strip("|").split("|")], ["64 B", "**10.0** (0.50)", "20.0"])
        self.assertEqual(
            [cell.strip() for cell in table[3].strip("|").split("|")], ["256 B", "90.0 (1.50)", "**60.0**"]
        )
        self.assertEqual(len({len(line) for line in table}), 1)

    def test_cycles_per_byte(self):
        results = made_up({("ours", 64): 32})
        results.lines.append({"type": "clock", "tsc_ghz": 2.0, "core_ghz": 3.0})
        self.assertIn("**1.000**", tables.timing_table(results, "seal", 128, None, "p25", per_byte=True))

    def test_a_candidate_without_such_a_call_has_an_empty_cell(self):
        results = made_up({("ours", 64): 10, ("peer", 64): 20, ("ours", 256): 30})
        last = tables.timing_table(results, "seal", 128, "peer", "p25", per_byte=False).splitlines()[-1]
        self.assertEqual([cell.strip() for cell in last.strip("|").split("|")], ["256 B", "**30.0**", ""])

    def test_labels_say_what_differs(self):
        rows = [Row("many-keys", 128, keys, 13, 64) for keys in (1, 8192)]
        self.assertEqual([tables.row_label(row, rows) for row in rows], ["1 key, 64 B", "8,192 keys, 64 B"])
        rows = [Row("aad", 128, 1, aad, 64) for aad in (0, 20)]
        self.assertEqual(tables.row_label(rows[1], rows), "64 B + 20 B AAD")
        self.assertEqual(tables.full_label(rows[1]), "aad, AES-128, 20 B AAD, 64 B")

    def test_three_digits(self):
        self.assertEqual([tables.short(x) for x in (9.876, 98.76, 987.6, 98765.4)], ["9.88", "98.8", "988", "98765"])

    def test_verdicts(self):
        base, head = made_up({("ours", 64): 10, ("peer", 64): 20}), made_up({("ours", 64): 15, ("peer", 64): 30})
        text = tables.verdict_table(compare.verdicts(base, head, LIMITS))
        self.assertIn("1.50", text)
        self.assertIn("set aside: peer 1.50", text)

    def test_widest_class_is_the_default_peer(self):
        results = made_up({("ours", 64): 1, ("ipsec-mb-sse", 64): 1, ("ipsec-mb-avx2", 64): 1, ("libcrypto", 64): 1})
        self.assertEqual(tables.default_peer(results), "ipsec-mb-avx2")
        self.assertIsNone(tables.default_peer(made_up({("ours", 64): 1})))


class Reports(unittest.TestCase):
    def test_wrong_candidates_are_named(self):
        results = Results([candidate("good"), candidate("bad", wrong="open accepts a forged tag")])
        self.assertEqual(len(bench.wrong(results)), 1)
        self.assertIn("bad: open accepts a forged tag", bench.wrong(results)[0])
        results.lines.append({"type": "wrong", "about": "good", "text": "stream-64"})
        self.assertEqual(len(bench.wrong(results)), 2)

    def test_a_wrong_candidate_is_a_failure(self):
        results = made_up({("ours", 64): 1})
        results.lines.append(candidate("bad", wrong="x"))
        with mock.patch.object(bench, "measure", return_value=(results, "kept.json")):
            with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()):
                self.assertEqual(bench.main(["--quick"]), 1)
        self.assertIn("WRONG, not timed: bad: x", out.getvalue())

    def test_warnings(self):
        steady, moving = made_up({("ours", 64): 1}), made_up({("ours", 64): 1, ("ours", 256): 1})
        self.assertEqual(build.warnings(steady), [])
        moving.of_type("result")[1]["core_ghz"] = 2.5
        moving.lines.append({"type": "run", "load": 1.7})
        self.assertEqual(len(build.warnings(moving)), 2)
        self.assertIn("2.50 to 3.00 GHz", build.warnings(moving)[1])

    def test_compare_tells_by_its_status(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("base.json", "head.json")]
            for head, status in ((10, 0), (12, 1)):
                made_up({("ours", 64): 10, ("peer", 64): 20}).save(paths[0])
                made_up({("ours", 64): head, ("peer", 64): 20}).save(paths[1])
                with redirect_stdout(io.StringIO()) as out:
                    self.assertEqual(bench.main(["compare", *paths]), status)
                    self.assertEqual(bench.main(["compare", "--limit", "25", *paths]), 0)
                self.assertIn("1 rows", out.getvalue())

    def test_compare_without_controls_says_so(self):
        results = made_up({("ours", 64): 10})
        text = compare.report(compare.verdicts(results, results, LIMITS), results, results, LIMITS, everything=True)
        self.assertIn("no control rows", text)


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs python3-matplotlib")
class Pictures(unittest.TestCase):
    def draw(self, results: Results, *words: str) -> dict[str, str]:
        """The texts of all SVG pictures by name; each has a PNG beside it."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kept.json")
            results.save(path)
            with redirect_stdout(io.StringIO()):
                self.assertEqual(bench.main(["plot", path, "--to", folder, *words]), 0)
            names = sorted(name for name in os.listdir(folder) if name.endswith(".svg"))
            out = {}
            for name in names:
                self.assertTrue(os.path.getsize(os.path.join(folder, name.replace(".svg", ".png"))))
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    out[name] = file.read()
            return out

    def test_every_curve_is_named(self):
        results = made_up({(name, n): n + 10 for name in ("ours", "peer") for n in (64, 256, 1024)})
        pictures = self.draw(results, "--ratio-to", "peer")
        self.assertEqual(list(pictures), ["seal-128-ns.svg", "seal-128-ratio.svg"])
        self.assertIn(">ours<", pictures["seal-128-ns.svg"])
        self.assertIn(">peer<", pictures["seal-128-ns.svg"])
        self.assertIn("ratio to peer", pictures["seal-128-ratio.svg"])

    def test_what_is_left_out_is_said(self):
        results = made_up({(name, n): n * k for name, k in (("ours", 1), ("slow", 9), ("peer", 1)) for n in (64, 256)})
        pictures = self.draw(results, "--ratio-to", "peer")
        self.assertNotIn(">slow<", pictures["seal-128-ratio.svg"])
        self.assertIn("left out: slow", pictures["seal-128-ratio.svg"])

    def test_cliffs_are_counted(self):
        results = Results([candidate("ours")])
        results.lines += [result("ours", 50 + n + 99 * (n >= 300), "cliffs", length=n) for n in range(601)]
        self.assertIn("ours, cliffs: 1", self.draw(results)["cliffs-128.svg"])


class Sizes(unittest.TestCase):
    VARIANTS = ["vaes_vpclmul_avx512", "vaes_vpclmul", "aesni_pclmul_avx", "aesni_pclmul", "pclmul", "portable"]
    OBJDUMP = """kernel.o:     file format elf64-x86-64

Sections:
Idx Name          Size      VMA               LMA               File off  Algn  Flags
  0 .text         00000420  0000000000000000  0000000000000000  00000040  2**6  CONTENTS, ALLOC, LOAD, READONLY, CODE
  1 .text.part    00000011  0000000000000000  0000000000000000  00000460  2**0  CONTENTS, ALLOC, LOAD, READONLY, CODE
SYMBOL TABLE:
0000000000000000 l    d  .text\t0000000000000000 .text
0000000000000400 l       .text\t0000000000000000 inner
0000000000000010 l       .text\t0000000000000000 vg_seal_pclmul.loop
0000000000000000 g     F .text\t0000000000000000 .hidden vg_seal_pclmul
0000000000000300 g     F .text\t0000000000000000 .hidden vg_open_pclmul
0000000000000000 l     F .text.part\t0000000000000011 part.0
0000000000000000         *UND*\t0000000000000000 vg_other
"""
    SIZE = """src-seal.o   (ex libvg.a):
section            size   addr
.text                 0      0
.text.vg_seal       292      0
.rodata.str1.1       11      0
.comment             40      0
Total               343

asm-aesni_pclmul-seal.o   (ex libvg.a):
section     size   addr
.text       1024      0
Total       1024

asm-aesni_pclmul-constants.o   (ex libvg.a):
section     size   addr
.rodata       64      0
Total         64
"""

    def test_variants_of_a_configuration(self):
        values = {"VARIANT_PORTABLE": 1, "VARIANT_PCLMUL": 0, "VARIANT_AESNI_PCLMUL": 1, "OPEN": 1}
        text = "".join(f"#define VG_{name} {value}\n" for name, value in values.items())
        self.assertEqual(sizes.variants_of(text), ["portable", "aesni_pclmul"])

    def test_the_longest_name_wins(self):
        for member, variant in (
            ("aesni_pclmul-seal.o", "aesni_pclmul"),
            ("aesni_pclmul_avx-seal.o", "aesni_pclmul_avx"),
            ("pclmul-ghash.o", "pclmul"),
            ("src-variants-vaes_vpclmul_avx512.o", "vaes_vpclmul_avx512"),
            ("src-portable-key.o", "portable"),
            ("src-seal.o", "shared"),
        ):
            self.assertEqual(sizes.owner_of(member, self.VARIANTS), variant, member)

    def test_functions_of_nasm_get_sizes(self):
        """Up to the next function or the end of the section; labels inside have none."""
        found = functions_of_member("kernel.o", self.OBJDUMP)
        wanted = {"vg_seal_pclmul": (0x300, True), "vg_open_pclmul": (0x100, True), "inner": (0x20, False)}
        self.assertEqual({f.name: (f.size, f.is_global) for f in found}, {**wanted, "part.0": (0x11, False)})

    def test_sections_are_added_up(self):
        self.assertEqual(
            sizes.parse_size(self.SIZE),
            {"src-seal.o": (292, 11), "asm-aesni_pclmul-seal.o": (1024, 0), "asm-aesni_pclmul-constants.o": (0, 64)},
        )


if __name__ == "__main__":
    unittest.main()
