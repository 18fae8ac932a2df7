"""Parts of a test run, side by side: what each printed stays together, and the CPU time of its commands is counted.

    def compiled() -> Counts:
        run = Run("cc", ...)              # waits
        say("what is printed when the part is over")
        return Counts(passed=1)

    totals = run_parts({"name": [compiled, ...]}, workers)

A part is a list of tasks. Tasks begin in the order of the parts, so that long ones should come first: then no core is
idle at the end while another has a long one to do."""

import os
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STARTED = time.monotonic()


class Counts:
    def __init__(self, passed: int = 0, failed: int = 0, skipped: int = 0):
        self.passed, self.failed, self.skipped = passed, failed, skipped

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


Task = Callable[[], Counts]


@dataclass
class Record:
    """Of one task."""

    lines: list[str] = field(default_factory=list)
    cpu: float = 0.0  # seconds


_local = threading.local()


def record() -> Record:
    """Of the task that runs in this thread."""
    return _local.record


def say(text: str) -> None:
    record().lines.append(text)


class Run:
    """A finished command and all that it printed."""

    def __init__(self, *command: str, **environment: str):
        self.command = " ".join(command)
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            assert process.stdout is not None
            self.text = process.stdout.read().decode(errors="replace")
            # wait4, since wait does not tell how long it and its own children ran.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = self.status = os.waitstatus_to_exitcode(status)
        record().cpu += usage.ru_utime + usage.ru_stime

    def show(self) -> None:
        say(f"$ {self.command}\n{self.text.rstrip()}\nexit status {self.status}")


def clock() -> str:
    return f"[{time.monotonic() - STARTED:5.0f} s]"


def run_task(task: Task, part: str) -> tuple[Counts, Record]:
    """part: "" if it is not the first of its part."""
    _local.record = Record()
    if part:
        print(f"{clock()} {part} begins", flush=True)
    try:
        return task(), _local.record
    except Exception as error:  # the other parts go on
        say(f"{type(error).__name__}: {error}")
        return Counts(failed=1), _local.record


def run_parts(parts: dict[str, list[Task]], workers: int) -> Counts:
    totals, cpu = Counts(), 0.0
    with ThreadPoolExecutor(workers) as pool:
        futures: dict[str, list[Future]] = {
            name: [pool.submit(run_task, task, "" if n else name) for n, task in enumerate(tasks)]
            for name, tasks in parts.items()
        }
        part_of = {future: name for name, started in futures.items() for future in started}
        left = {name: len(started) for name, started in futures.items()}
        try:
            for future in as_completed(part_of):
                name = part_of[future]
                left[name] -= 1
                if left[name]:
                    continue
                counts, seconds = Counts(), 0.0
                print(f"{clock()} {name} ...")
                for done in futures[name]:
                    part, told = done.result()
                    counts, seconds = counts + part, seconds + told.cpu
                    print("".join(f"{line}\n" for line in told.lines), end="")
                print(f"{clock()} {name}: {counts}; {seconds:.0f} s of CPU time", flush=True)
                totals, cpu = totals + counts, cpu + seconds
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    print(f"{clock()} {cpu:.0f} s of CPU time")
    return totals
