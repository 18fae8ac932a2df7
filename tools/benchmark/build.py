"""Build directories, the measuring program, and what is to be known about where it runs."""

import os
import platform
import re
import subprocess
import sys
import time
from typing import Optional, Sequence

from . import Mistake
from .results import Results, parse
from .stats import percentile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
DIRECTORY = os.path.join(ROOT, "build-bench")
# Every variant, and both forms of each.
CONFIGURATION = ("generic_x86_64_defconfig", ("VG_CONTEXT_ADAPTIVE=y",))


def call(command: Sequence[str], **more) -> str:
    """Run command. Its output is shown only if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        raise Mistake(f"{' '.join(command)} failed:\n{done.stdout.strip()}")
    return done.stdout


def configure(root: str, directory: str, settings: Sequence[str]) -> None:
    """The bench's own configuration, and settings on top."""
    base, fixed = CONFIGURATION
    sets = [word for setting in (*fixed, *settings) for word in ("--set", setting)]
    call([os.path.join(root, "tools/configure"), base, "-o", directory, *sets], cwd=root)


def configure_like(root: str, directory: str, model: str, settings: Optional[Sequence[str]]) -> None:
    """A directory of another tree: with the bench's own configuration, or, without settings, configured as the model."""
    if settings is not None:
        configure(root, directory, settings)
        return
    config = os.path.join(os.path.abspath(model), ".config")
    call([os.path.join(root, "tools/configure"), config, "-o", directory], cwd=root)


def make(directory: str) -> str:
    """Build the measuring program in a configured directory; returns its path."""
    if not os.path.exists(os.path.join(directory, "build.ninja")):
        raise Mistake(f"{directory}: not a build directory: tools/configure makes one")
    forget_absent_header(directory)
    call(["ninja", "-C", directory, "libvg.a", "measure"])
    return os.path.join(os.path.abspath(directory), "measure")


def forget_absent_header(directory: str) -> None:
    """ninja does not know of a header that was not there: have its one user compiled again once it is."""
    user = os.path.join(directory, "obj/measure/ipsec_mb.o")
    try:
        if os.stat("/usr/include/intel-ipsec-mb.h").st_ctime > os.stat(user).st_mtime:
            os.remove(user)
    except FileNotFoundError:
        pass


def cpu_name() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return "unknown CPU"
    fields = dict(re.findall(r"^([\w ]+?)\s*: (.*)$", text.split("\n\n")[0], re.M))
    where = ", in a virtual machine" if "hypervisor" in fields.get("flags", "").split() else ""
    numbers = "-".join(fields.get(name, "?") for name in ("cpu family", "model", "stepping"))
    return f"{fields.get('model name', 'unknown CPU')} (family-model-stepping {numbers}), {os.cpu_count()} CPUs{where}"


def commit_of(root: str) -> str:
    try:
        name = call(["git", "-C", root, "rev-parse", "--short=12", "HEAD"]).strip()
        dirty = call(["git", "-C", root, "status", "--porcelain", "--", "src", "asm", "include"]).strip()
    except (Mistake, OSError):
        return "unknown"
    return name + (" with changes" if dirty else "")


def compiler_of(directory: str) -> str:
    try:
        with open(os.path.join(directory, "build.ninja"), encoding="utf-8") as file:
            found = re.search(r"^cc = (.*)$", file.read(), re.M)
        return call([*(found.group(1) if found else "cc").split(), "--version"]).splitlines()[0]
    except (OSError, Mistake, IndexError):
        return "unknown compiler"


def describe(root: str, directory: str) -> dict:
    return {
        "type": "run",
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": cpu_name(),
        "system": f"{platform.system()} {platform.release()}",
        "compiler": compiler_of(directory),
        "commit": commit_of(root),
        "load": os.getloadavg()[0],
    }


def measure(program: str, arguments: Sequence[str]) -> Results:
    """Run the measuring program. Its progress bar goes to the terminal."""
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 2:  # it has said why
        sys.exit(1)
    if done.returncode not in (0, 3):
        raise Mistake(f"{program} ended with status {done.returncode}")
    return parse(done.stdout.splitlines(), program)


def warnings(results: Results, clock_limit: float = 0.03, load_limit: float = 0.5) -> list[str]:
    """What makes these times less than trustworthy, one sentence each."""
    out = []
    run, end = results.first("run"), results.first("end")
    if run.get("load", 0) > load_limit:
        out.append(f"the machine was busy: load {run['load']:.2f} before the run")
    if results.never_quiet():
        out.append(f"the core was shared with something else all the time in {results.never_quiet()} rows")
    speeds = [line["core_ghz"] for line in results.of_type("result")]
    usual = percentile(speeds, 50) if speeds else 0
    if sum(abs(speed - usual) > clock_limit * usual for speed in speeds) > 0.05 * len(speeds):
        out.append(f"the core clock moved: {min(speeds):.2f} to {max(speeds):.2f} GHz")
    if end.get("preempted", 0) > len(speeds):
        out.append(f"other work ran on the core: preempted {end['preempted']} times")
    return out


def say(text: str) -> None:
    print(text, file=sys.stderr)
