"""Parts side by side: what they count, print and cost."""

import contextlib
import io
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

from task_pool import Counts, Run, run_parts, say  # noqa: E402

BUSY = "import os\nwhile sum(os.times()[:2]) < 0.3: pass"


def passes(text: str) -> Counts:
    say(text)
    return Counts(passed=1)


def breaks() -> Counts:
    raise OSError("no such thing")


def fails() -> Counts:
    run = Run("sh", "-c", "echo told; exit 3")
    run.show()
    return Counts(failed=int(run.status == 3))


def works() -> Counts:
    """In a child of the command's."""
    run = Run("sh", "-c", f"{sys.executable} -c '{BUSY}'; true")
    return Counts(passed=int(run.status == 0))


class Pool(unittest.TestCase):
    def run_parts(self, workers: int, **parts: list) -> tuple[str, str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            totals = run_parts(parts, workers)
        return str(totals), out.getvalue()

    def test_a_part_says_all_at_its_end(self):
        totals, text = self.run_parts(2, one=[lambda: passes("a"), lambda: passes("b")], two=[lambda: passes("c")])
        self.assertEqual(totals, "3 passed, 0 failed, 0 skipped")
        self.assertRegex(text, r"one \.\.\.\na\nb\n\[ +\d+ s\] one: 2 passed, 0 failed, 0 skipped; 0 s of CPU time\n")
        self.assertRegex(text, r"two \.\.\.\nc\n\[ +\d+ s\] two: 1 passed")
        self.assertRegex(text, r"\] one begins\n")

    def test_a_task_that_raises_is_a_failure_and_the_others_go_on(self):
        totals, text = self.run_parts(1, bad=[breaks, lambda: passes("a")])
        self.assertEqual(totals, "1 passed, 1 failed, 0 skipped")
        self.assertIn("\nOSError: no such thing\na\n", text)

    def test_a_command_that_fails_is_shown(self):
        totals, text = self.run_parts(1, bad=[fails])
        self.assertEqual(totals, "0 passed, 1 failed, 0 skipped")
        self.assertIn("\n$ sh -c echo told; exit 3\ntold\nexit status 3\n", text)

    def test_a_signal_is_a_negative_status(self):
        def killed() -> Counts:
            return passes(f"status {Run('sh', '-c', 'kill -9 $$').status}")

        self.assertIn("\nstatus -9\n", self.run_parts(1, bad=[killed])[1])

    def test_cpu_time_of_children_of_commands_counts(self):
        totals, text = self.run_parts(2, busy=[works] * 4)
        self.assertEqual(totals, "4 passed, 0 failed, 0 skipped")
        self.assertRegex(text, r"busy: 4 passed, 0 failed, 0 skipped; [1-9] s of CPU time\n")


if __name__ == "__main__":
    unittest.main()
