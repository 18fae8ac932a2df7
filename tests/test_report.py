"""tools/report: its numbers against other tools, its choices against the table of boards, its page against a parser."""

import html.parser
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(ROOT, "tools")]

from board_table import AVOID_ZMM, CLASSES, INTEL, NEEDS, best  # noqa: E402
from reporting import facts, page, plots, tables  # noqa: E402


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def made_up() -> facts.Facts:
    found = facts.Facts("A <board> & more", "VG_OPEN=y", "cc 1", 16384, ["aesni_pclmul", "portable"])
    found.text = {"aesni_pclmul": 9001, "portable": 70, "shared": 333}
    found.constants = {"aesni_pclmul": 64, "portable": 0, "shared": 1}
    found.functions = [
        facts.Function("vg_seal_aesni_pclmul", "aesni_pclmul", 8000, False, 100),
        facts.Function("vg_aes_gcm_seal", "shared", 300, True, 1234),
        facts.Function("vg_status_text", "shared", 33, True, None),
    ]
    found.thresholds = {"aesni_pclmul": {"stitched_from": 129}, "portable": {}}
    found.cpus = [facts.CpuModels("westmere", "old", 6, "37, 44", "aes", "aesni_pclmul", False)]
    found.cpus.append(facts.CpuModels("none", "older", 6, "1", "", "", False))
    return found


class Parser(html.parser.HTMLParser):
    """Text, and the tags that are open when the page ends."""

    EMPTY = ("meta", "path", "use", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.seen.add(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open and self.open[-1] == tag, f"{tag} closes {self.open}"
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data + "\n"


class Page(unittest.TestCase):
    def parse(self, pictures: dict[str, str]) -> Parser:
        parser = Parser()
        parser.feed(page.page(made_up(), pictures))
        self.assertEqual(parser.open, [])
        return parser

    def test_says_what_the_tables_say(self):
        text = self.parse({}).text
        self.assertIn("A <board> & more", text)
        for table in tables.all_tables(made_up()):
            for cell in (table.title, table.note, *table.columns, *(c for row in table.rows for c in row)):
                self.assertIn(cell, text)

    def test_totals(self):
        rows = dict(tables.totals(made_up()).rows)
        self.assertEqual(rows["text in the archive of 16,384 that VG_TEXT_BUDGET allows"], "9,404")
        self.assertEqual(rows["deepest stack, that of vg_aes_gcm_seal"], "1,234")
        self.assertNotIn("stream context", rows)

    def test_markdown(self):
        for table in tables.all_tables(made_up()):
            lines = [line for line in table.markdown().splitlines() if line.startswith("|")]
            self.assertEqual(len(lines), 2 + len(table.rows))
            self.assertEqual({line.count(" | ") for line in lines}, {len(table.columns) - 1}, table.title)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "pictures of the report: this python has no matplotlib")
    def test_pictures(self):
        found = made_up()
        drawn = {"Text by variant": plots.text_by_owner(found), "All functions": plots.largest_functions(found)}
        parser = self.parse(drawn)
        self.assertIn("svg", parser.seen)
        for words in ("9,001 + 64", "vg_seal_aesni_pclmul", "bytes of text"):
            self.assertIn(words, parser.text)
        self.assertEqual(page.page(found, drawn), page.page(found, drawn))


class Archive(unittest.TestCase):
    """The archive that has most."""

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="vg-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = os.path.join(holder.name, "build")
        output("tools/configure", "generic_x86_64", "--set", "VG_TEXT_BUDGET=0", "-o", cls.folder)
        output("ninja", "-C", cls.folder, "libvg.a")
        cls.archive = os.path.join(cls.folder, "libvg.a")
        cls.facts = facts.gather(cls.folder)

    def test_text_and_constants(self):
        """By another tool: the sections that readelf lists."""
        listing = output("readelf", "-SW", self.archive)
        text = sum(int(n, 16) for n in re.findall(r"PROGBITS +\w+ \w+ (\w+) \w+ +AX ", listing))
        constants = re.findall(r" \.(?:rodata|data\.rel\.ro)\S* +PROGBITS +\w+ \w+ (\w+) ", listing)
        self.assertEqual(sum(self.facts.text.values()), text)
        self.assertEqual(sum(self.facts.constants.values()), sum(int(n, 16) for n in constants))
        self.assertEqual(set(self.facts.text), {*self.facts.variants, "shared"})
        self.assertGreater(min(self.facts.text.values()), 1000)

    def test_functions(self):
        total = sum(function.text for function in self.facts.functions)
        self.assertLessEqual(total, sum(self.facts.text.values()))
        self.assertGreater(total, 0.98 * sum(self.facts.text.values()))
        by_name = {function.name: function for function in self.facts.functions}
        for call in ("vg_aes_gcm_init", "vg_aes_gcm_open_chain", "vg_self_test", "vg_status_text"):
            self.assertTrue(by_name[call].public, call)
        self.assertFalse(by_name["vg_crypt_message"].public)
        self.assertEqual(by_name["vg_init_aesni_pclmul"].owner, "aesni_pclmul")

    def test_stack(self):
        self.assertEqual(self.facts.missing, [])
        stacks = {f.name: f.stack for f in self.facts.functions if f.public}
        self.assertGreaterEqual(stacks["vg_aes_gcm_seal"], stacks["vg_aes_gcm_seal_to"])
        self.assertEqual(self.facts.deepest.stack, max(stacks.values()))

    def test_program(self):
        self.assertTrue(5000 < self.facts.program_added < 2 * sum(self.facts.text.values()), self.facts.program_added)
        self.assertGreater(self.facts.program, self.facts.program_added)

    def test_choices(self):
        for name, cpu in CLASSES.items():
            rows = [row for row in self.facts.cpus if row.cpu_class == name]
            for row in rows:
                self.assertEqual(set(row.features.split()), set(cpu.features.split()), name)
            if cpu.vendor == INTEL:
                chosen = {int(m): row.variant for row in rows for m in row.models.split(", ")}
                for model in cpu.models:
                    avoid = model in AVOID_ZMM
                    self.assertEqual(chosen[model], best(self.facts.variants, cpu.features, avoid), (name, model))
            else:
                self.assertEqual({row.variant for row in rows}, {best(self.facts.variants, cpu.features)}, name)
        self.assertEqual([v for v in NEEDS if v in self.facts.variants], list(self.facts.thresholds))


if __name__ == "__main__":
    unittest.main()
