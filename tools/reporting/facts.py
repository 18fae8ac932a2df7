"""Everything that the report tells, gathered from a build directory."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field

from benchmark import Mistake
from benchmark.build import call, compiler_of
from benchmark.sizes import SHARED, owner_of, parse_size, variants_of
from vgconfig import budget, host
from vgconfig.symbols import heading

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


@dataclass
class Function:
    name: str
    owner: str  # a variant, or SHARED
    text: int
    public: bool
    stack: int | None  # bytes below the frame of its caller, callees included


@dataclass
class CpuModels:
    """Those models of a CPU class for which an archive chooses the same."""

    cpu_class: str
    found_in: str
    family: int
    models: str
    features: str
    variant: str  # "" where key set-up is refused
    avoid_zmm: bool


@dataclass
class Facts:
    title: str
    config: str
    compiler: str
    budget: int
    variants: list[str]
    text: dict[str, int] = field(default_factory=dict)  # by owner
    constants: dict[str, int] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    key_context: int = 0
    stream_context: int = 0
    program: int = 0  # bytes of a static program, stripped
    program_added: int = 0  # over the same program without vg
    thresholds: dict[str, dict[str, int]] = field(default_factory=dict)
    cpus: list[CpuModels] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # what could not be told, and why

    @property
    def deepest(self) -> Function | None:
        known = [f for f in self.functions if f.public and f.stack is not None]
        return max(known, key=lambda f: f.stack or 0, default=None)


def defines(directory: str) -> tuple[str, dict[str, str]]:
    try:
        with open(os.path.join(directory, "include/vg/config.h"), encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise Mistake(f"{directory}: not a build directory: {error.strerror}") from None
    return text, dict(re.findall(r"^#define (VG_\w+) (.*)$", text, re.M))


def public_names() -> set[str]:
    """The calls of the public headers."""
    names: set[str] = set()
    folder = os.path.join(ROOT, "include/vg")
    for header in os.listdir(folder):
        with open(os.path.join(folder, header), encoding="utf-8") as file:
            names |= set(re.findall(r"\b(vg_\w+)\(", re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)))
    return names


def stacks(directory: str) -> dict[str, int]:
    """By function, from what tools/check reads off the machine code."""
    from machinecheck.shared import flow
    from machinecheck.machine import Build

    build = Build(directory)
    return {f.name: flow(build).of(f).depth for f in build.functions() if f.object.is_c or f.is_global}


def read_sizes(facts: Facts, directory: str, prefix: str) -> None:
    archive = os.path.join(directory, "libvg.a")
    facts.text = {name: 0 for name in (*facts.variants, SHARED)}
    facts.constants = dict(facts.text)
    for member, (text, constants) in parse_size(call(["size", "-A", archive])).items():
        facts.text[owner_of(member, facts.variants)] += text
        facts.constants[owner_of(member, facts.variants)] += constants
    depths: dict[str, int] = {}
    try:
        depths = stacks(directory)
    except Exception as error:  # code that tools/check cannot read has no number here; tools/check says more
        facts.missing.append(f"stack: tools/check does not read this archive: {error}")
    public = public_names()
    for member, name, size, is_global in budget.functions(archive):
        known = is_global and name.removeprefix(prefix) in public
        facts.functions.append(Function(name, owner_of(member, facts.variants), size, known, depths.get(name)))


def link(directory: str, output: str, source: str, *flags: str) -> None:
    compiler = re.search(r"^cc = (.*)$", read(os.path.join(directory, "build.ninja")), re.M)
    words = (compiler[1] if compiler else "cc").replace("$$", "$").split()
    includes = [f"-I{directory}/include", f"-I{ROOT}/include", f"-I{ROOT}/src"]
    call([*words, "-Os", *includes, *flags, source, "-o", output, os.path.join(directory, "libvg.a")])


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def loaded(program: str) -> int:
    """Bytes of text and data, constants and tables for unwinding included."""
    return sum(map(int, call(["size", program]).splitlines()[1].split()[:2]))


def read_program(facts: Facts, directory: str) -> None:
    """Ten lines that seal and open, linked as a user who counts bytes would link them."""
    flags = ("-static", "-s", "-Wl,--gc-sections")
    with tempfile.TemporaryDirectory() as folder:
        program, empty = os.path.join(folder, "program"), os.path.join(folder, "empty")
        link(directory, program, os.path.join(HERE, "program.c"), *flags)
        with open(empty + ".c", "w", encoding="utf-8") as file:
            file.write("int main(void) { return 0; }\n")
        call(["cc", "-Os", *flags, empty + ".c", "-o", empty])
        facts.program = os.path.getsize(program)
        facts.program_added = loaded(program) - loaded(empty)


def signature(family: int, model: int) -> str:
    return f"{min(family, 15) << 8 | max(family - 15, 0) << 20 | (model & 15) << 4 | model >> 4 << 16:x}"


def found_in() -> dict[str, str]:
    """For each CPU class where it is found, in the words of its help in Kconfig."""
    text = read(os.path.join(ROOT, "src/Kconfig"))
    found = re.findall(r"^config VG_TARGET_(\w+)\n\tbool .*\n\thelp\n\t  (.*)\.\n", text, re.M)
    return {name.lower(): words for name, words in found}


def probe(facts: Facts, directory: str) -> None:
    models = [("GenuineIntel", 6, m, name, str(m)) for name, all_of in host.INTEL.items() for m in all_of]
    for name, family, numbers in host.AMD:
        models.append(("AuthenticAMD", family, min(numbers), name, ranges(sorted(numbers))))
    where = found_in()
    features = {name: " ".join(sorted(host.FLAGS.get(name, host.AES))) for *_, name, _ in models}
    asked = "".join(f"{v} {signature(f, m)} {features[n].replace(' ', ',')}\n" for v, f, m, n, _ in models)
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "probe")
        link(directory, program, os.path.join(HERE, "probe.c"))
        done = subprocess.run([program], input=asked, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    facts.key_context, facts.stream_context = lines[0]["key_context"], lines[0]["stream_context"]
    facts.thresholds = {line["name"]: line["thresholds"] for line in lines if line["type"] == "variant"}
    choices = [line for line in lines if line["type"] == "choice"]
    for (_, family, _, name, shown), choice in zip(models, choices, strict=True):
        same = facts.cpus[-1] if facts.cpus else None
        avoid = bool(choice["avoid_zmm"])
        if same and (same.cpu_class, same.variant, same.avoid_zmm) == (name, choice["variant"], avoid):
            same.models += f", {shown}"
        else:
            facts.cpus.append(
                CpuModels(name, where.get(name, ""), family, shown, features[name], choice["variant"], avoid)
            )


def ranges(numbers: list[int]) -> str:
    """Ascending numbers, runs of them as first-last."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs).replace("0-255", "all")


def target_of(symbols: dict[str, str]) -> str:
    """The CPU class in words, for configurations that do not say what they are for."""
    name = next(s.removeprefix("VG_TARGET_").lower() for s, value in symbols.items() if s.startswith("VG_TARGET_") and value == "1")
    return f"{name}: {found_in()[name]}"


def gather(directory: str) -> Facts:
    header, symbols = defines(directory)
    directory = os.path.abspath(directory)
    about = heading(os.path.join(directory, ".config")).replace("# ", "").split("\n")
    facts = Facts(
        title=" ".join(about).strip() or target_of(symbols),
        config=symbols["VG_CONFIG_STRING"].strip('"').replace('\\"', '"'),
        compiler=compiler_of(directory),
        budget=int(symbols.get("VG_TEXT_BUDGET", "0")),
        variants=variants_of(header),
    )
    read_sizes(facts, directory, symbols["VG_SYMBOL_PREFIX"].strip('"'))
    read_program(facts, directory)
    probe(facts, directory)
    return facts
