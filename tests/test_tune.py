"""The arithmetic of tools/tune, on curves made up here. Nothing is timed."""

import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "tools"))

from benchmark.results import Results  # noqa: E402
from tuning import __main__ as tune, crossover, curves  # noqa: E402
from vgconfig import symbols  # noqa: E402

LENGTHS = [2**n for n in range(4, 15)]


def ratios(cross: float, noise: float, slope: float = 0.2, passes: int = 7) -> dict[int, list[float]]:
    """The ways cross at `cross` bytes, and every pass is wrong by up to `noise`."""
    lot = random.Random(2)
    return {
        n: [math.exp(slope * math.log(cross / n) / 4 + lot.uniform(-noise, noise)) for _ in range(passes)]
        for n in LENGTHS
    }


def timed(group: str, candidate: str, times: dict[int, float]) -> list[dict]:
    return [
        {"type": "result", "pass": p, "group": group, "key_bits": 128, "len": n, "aad_len": 13, "keys": 1,
         "candidate": candidate, "quiet": True, "p25": ns} for n, ns in times.items() for p in range(3)
    ]  # fmt: skip


class Crossovers(unittest.TestCase):
    def test_clear(self):
        for cross, want in ((1000, 1024), (1400, 2048), (20, 32), (15000, 16384)):
            found = crossover.find(ratios(cross, 0.001))
            self.assertEqual((found.at, found.low, found.high, found.hidden), (want, want, want, ""))

    def test_always_and_never(self):
        self.assertEqual(crossover.find(ratios(1, 0.001)).at, LENGTHS[0])
        never = crossover.find(ratios(1 << 20, 0.001))
        self.assertEqual((never.at, never.low, never.high, never.hidden), (None, math.inf, math.inf, ""))

    def test_noise(self):
        """Nothing but noise has no crossover that could be relied on; with little noise there is one."""
        self.assertIn("noise", crossover.find(ratios(1000, 0.5, slope=0.01)).hidden)
        self.assertIn("differ by less", crossover.find(ratios(1000, 0.001, slope=0.0)).hidden)
        self.assertEqual(crossover.find(ratios(1000, 0.03)).hidden, "")

    def test_one_bad_length(self):
        """One length that lies on the wrong side does not move the crossover there."""
        bad = ratios(1000, 0.001)
        bad[64] = [0.9] * 7
        self.assertEqual(crossover.find(bad).at, 1024)


class Preparation(unittest.TestCase):
    @staticmethod
    def results(gain: float, cost: float) -> Results:
        prepared = {n: 20 + n / 20 for n in curves.POWERS_SIZES}
        base = {n: ns + gain * min(n / 128, 1) for n, ns in prepared.items()}
        lines = timed("seal", "v-base", base) + timed("seal", "v-prepared", prepared)
        lines += timed("fresh-key", "v-base", {1024: base[1024] + 100})
        lines += timed("fresh-key", "v-prepared", {1024: prepared[1024] + 100 + cost})
        return Results(lines)

    def test_cost_and_gain(self):
        self.assertEqual(curves.preparation(self.results(30, 50), "v"), (2, 64))
        self.assertEqual(curves.preparation(self.results(30, 301), "v"), (11, 64))
        self.assertEqual(curves.preparation(self.results(30, -5), "v"), (1, 64))

    def test_no_gain(self):
        self.assertIn("less than 2%", curves.preparation(self.results(0.5, 50), "v"))
        self.assertIn("no adaptive", curves.preparation(Results([]), "v"))


class Fragments(unittest.TestCase):
    defaults = {"VG_X_SPLIT_FROM": 80, "VG_X_COPY_BELOW": 8192}

    def test_pairs(self):
        """What configuration would refuse is moved apart, and that is said."""
        values = {"VG_X_SPLIT_FROM": 9000}
        self.assertIn("was 8192", tune.apart(values, *self.defaults, self.defaults)[0])
        self.assertEqual(values["VG_X_COPY_BELOW"], 9016)
        for split_from, copy_below in ((80, 96), (symbols.NEVER, symbols.NEVER), (80, symbols.NEVER)):
            values = {"VG_X_SPLIT_FROM": split_from, "VG_X_COPY_BELOW": copy_below}
            self.assertEqual(tune.apart(values, *self.defaults, self.defaults), [])
            self.assertEqual(values["VG_X_COPY_BELOW"], copy_below)

    def test_merge(self):
        """tools/configure takes a fragment as it is."""
        values = {"VG_AESNI_PCLMUL_SPLIT_FROM": 321, "VG_AESNI_PCLMUL_COPY_BELOW": symbols.NEVER}
        text = tune.fragment(values, ["# a note"], "this machine", "2000-01-01")
        self.assertTrue(text.startswith("# Thresholds measured by tools/tune on this machine\n# 2000-01-01."))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fragment")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            command = [os.path.join(HERE, "tools/configure"), "generic_x86_64", "--merge", path]
            subprocess.run([*command, "-o", os.path.join(folder, "build")], check=True, stdout=subprocess.DEVNULL)
            with open(os.path.join(folder, "build/.config"), encoding="utf-8") as file:
                config = file.read()
        for name, value in values.items():
            self.assertIn(f"{name}={value}\n", config)


if __name__ == "__main__":
    unittest.main()
