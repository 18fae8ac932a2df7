"""Contracts: the banner of each kernel, the prototype in src/variant.h and the code say the same."""

from .banners import PARAMETERS_AT, Banner, Prototype, needed
from .features import needs
from .frame import Report, rule
from .gates import ALLOWED
from .machine import Build, Function
from .shared import banners, flow

# What has one has the other.
IMPLIES = {
    "avx": "ssse3", "avx2": "avx", "avx512f": "avx2", "avx512bw": "avx512f", "avx512vl": "avx512f",
    "vaes": "aes", "vpclmulqdq": "pclmulqdq",
}  # fmt: skip


def closed(features: set[str]) -> set[str]:
    found = set(features)
    for _ in IMPLIES:
        found |= {IMPLIES[name] for name in found if name in IMPLIES}
    return found


def kernels(build: Build, report: Report) -> list[Function]:
    """All functions under asm/ that something else may call."""
    if build.variants == ["portable"]:
        report.has_nothing("the portable variant alone has no kernels")
    return [f for f in build.functions() if f.is_global and not f.object.is_c]


def binding_mistakes(banner: Banner, shape: Prototype) -> list[str]:
    places = [*PARAMETERS_AT, *(f"[rsp+{8 * n}]" for n in range(1, 20))]
    wanted = {place: parameter for place, parameter in zip(places, shape.parameters)}
    found: dict[str, str] = {}
    mistakes = []
    for place, name, size in banner.bindings:
        if place in ("eax", "rax"):
            continue
        if place in found:
            mistakes.append(f"{place} is bound twice")
        found[place] = name
        parameter = wanted.get(place)
        if parameter and parameter.size and size != parameter.size:
            mistakes.append(f"{place}={name}[{size}], and the prototype has {name}[{parameter.size}]")
    for place, parameter in wanted.items():
        if found.get(place) != parameter.name:
            mistakes.append(f"parameter {parameter.name} is not bound as {place}={parameter.name}")
    mistakes += [f"{place}={name} is no parameter" for place, name in found.items() if place not in wanted]
    returned = {"void": "", "size_t": "rax", "uint64_t": "rax"}.get(shape.returns, "eax")
    out = [place for place, _, _ in banner.bindings if place in ("eax", "rax")]
    if out != [returned] * bool(returned):
        mistakes.append(f"f returns {shape.returns}, and Out binds {' '.join(out) or 'nothing'}")
    return mistakes


def secrecy_mistakes(banner: Banner, shape: Prototype) -> list[str]:
    """Each parameter is secret or public, by its value and by what it points to."""
    names = {parameter.name for parameter in shape.parameters}
    lists = {}
    mistakes = []
    for key in ("Secret", "Public"):
        words = [word.strip() for word in banner.keys.get(key, "").split(":")[0].split(",")]
        lists[key] = words
        for word in words:
            if word.lstrip("*") not in names | {"pointers", "lengths", "verdict"}:
                mistakes.append(f"{key}: {word} is no parameter")
    everything = lists["Secret"] + lists["Public"]
    for parameter in shape.parameters:
        spelled = [f"*{parameter.name}", parameter.name] if parameter.is_pointer else [parameter.name]
        if not parameter.is_pointer and "lengths" in lists["Public"] and parameter.name.endswith("len"):
            continue
        times = sum(everything.count(word) for word in spelled)
        if times != 1:
            mistakes.append(f"{parameter.name} is {'neither' if not times else 'both'} in Secret and Public")
    return mistakes


@rule("banner", "banner and src/variant.h agree on name, arguments and where they are")
def banner_rule(build: Build, report: Report) -> None:
    all_of = banners(build)
    for function in kernels(build, report):
        report.sees(function)
        found = all_of.banner(function)
        declared = all_of.called_by_c(function)
        if found is None:
            report.finds(function, "it has no banner, or more than one")
            continue
        for mistake in found.mistakes:
            report.finds(function, f"line {found.line}: {mistake}")
        if declared is None and not found.is_inner:
            report.finds(function, "src/variant.h does not declare it, and it is not called an inner function")
        if declared and found.prototype is None:
            report.finds(function, f"src/variant.h has it as {declared.text}")
        if declared and found.prototype and declared.text != found.prototype.text:
            report.finds(function, f"the banner has {found.prototype.text} and src/variant.h {declared.text}")
        if declared:
            for mistake in binding_mistakes(found, declared) + secrecy_mistakes(found, declared):
                report.finds(function, mistake)


def with_banners(build: Build, report: Report) -> list[tuple[Banner, list[Function]]]:
    """Each banner with the functions that it is of."""
    found: dict[tuple[str, int], tuple[Banner, list[Function]]] = {}
    for function in kernels(build, report):
        banner = banners(build).banner(function)
        if banner is not None:
            report.sees(function)
            found.setdefault((function.object.name, banner.line), (banner, []))[1].append(function)
    return list(found.values())


def has_all_forms(build: Build, banner: Banner) -> bool:
    """All that the banner is about is in this build, so that it may say no more than there is."""
    return not banner.in_forms or build.on("VG_CONTEXT_ADAPTIVE")


@rule("needs", "the banner's Needs are what the code needs, and part of the variant's")
def needs_rule(build: Build, report: Report) -> None:
    for banner, functions in with_banners(build, report):
        first = functions[0]
        declared = needed(banner, vex="-DVEX=1" in banners(build).rules.get(first.object.name, ""))
        if declared is None:
            report.finds(first, f"cannot read Needs '{banner.keys.get('Needs', '')}'")
            continue
        everything: set[str] = set()
        for function in functions:
            used = {name for point in flow(build).reaches(function) for name in needs(flow(build).calls.code[point])}
            used -= {"baseline"}
            everything |= used
            for feature in sorted(used - closed(declared[0] | declared[1])):
                report.finds(function, f"the code needs {feature}, and Needs does not name it")
        for feature in sorted(closed(declared[0]) - closed(everything)) if has_all_forms(build, banner) else ():
            report.finds(first, f"Needs names {feature}, and nothing in the code needs it")
        for feature in sorted((declared[0] | declared[1]) - set(ALLOWED.get(first.variant or "", ()))):
            report.finds(first, f"Needs names {feature}, which the variant does not have")


@rule("clobbers", "the registers that a kernel changes are those that its banner names")
def clobbers(build: Build, report: Report) -> None:
    for banner, functions in with_banners(build, report):
        if banner.clobber is None:
            continue
        everything: set[str] = set()
        for function in functions:
            summary = flow(build).of(function)
            changed = (summary.clobbers - {"rsp"}) | ({"flags"} if summary.flags else set())
            everything |= changed
            for name in sorted(changed - banner.clobber - banner.may_clobber):
                report.finds(function, f"changes {shown(name)}, and Clobber does not name it")
        if build.on("VG_WIPE") and has_all_forms(build, banner):
            for name in sorted(banner.clobber - everything):
                report.finds(functions[0], f"Clobber names {shown(name)}, and it is not changed")


def shown(name: str) -> str:
    return name.replace("zmm", "vector register ")


@rule("depth", "a kernel's deepest stack is what its banner says")
def depth(build: Build, report: Report) -> None:
    for banner, functions in with_banners(build, report):
        for form, declared in banner.stack.items():
            of_form = [f for f in functions if banners(build).split(f)[1] == form]
            if not of_form:
                continue
            deepest = max(of_form, key=lambda function: flow(build).of(function).depth)
            summary = flow(build).of(deepest)
            if summary.depth != declared:
                chain = " > ".join(summary.deepest)
                report.finds(deepest, f"uses {summary.depth} bytes of stack ({chain}), and the banner says {declared}")


def c_callable(build: Build, function: Function) -> bool:
    if function.object.is_c:
        return function.is_global
    return function.is_global and banners(build).called_by_c(function) is not None


@rule("saved", "callee-saved registers, DF and MXCSR are as they were, on every path")
def saved(build: Build, report: Report) -> None:
    for function in build.functions():
        if not c_callable(build, function):
            continue
        report.sees(function)
        summary = flow(build).of(function)
        for problem in summary.problems:
            if problem.kind == "saved":
                report.finds(function, problem.text, flow(build).calls.code[problem.point])
        if summary.direction:
            report.finds(function, "writes the direction flag")
        if summary.mxcsr:
            report.finds(function, "writes MXCSR")


def entries(build: Build) -> list[Function]:
    """Whatever is called: all of C, and the global functions of asm/."""
    return [f for f in build.functions() if f.object.is_c or f.is_global]


@rule("stack", "the stack is balanced on every path, and its depth has a bound")
def stack(build: Build, report: Report) -> None:
    problems_of(build, report, "stack")


@rule("red-zone", "nothing below rsp is touched")
def red_zone(build: Build, report: Report) -> None:
    problems_of(build, report, "red-zone")


def problems_of(build: Build, report: Report, kind: str) -> None:
    for function in entries(build):
        report.sees(function)
        for problem in flow(build).of(function).problems:
            if problem.kind == kind:
                report.finds(function, problem.text, flow(build).calls.code.get(problem.point))


@rule("vzeroupper", "no function that C calls leaves ymm or zmm registers in use")
def vzeroupper(build: Build, report: Report) -> None:
    for function in entries(build):
        summary = flow(build).of(function)
        if summary.touches_upper and c_callable(build, function):
            report.sees(function)
            for problem in summary.problems:
                if problem.kind == "upper":
                    report.finds(function, problem.text, flow(build).calls.code[problem.point])
    if not any(name.startswith("vaes") for name in build.variants):
        report.has_nothing("no variant of this build has ymm or zmm registers")


@rule("endbr64", "with CET, each entry that C may call begins with endbr64")
def endbr64(build: Build, report: Report) -> None:
    for function in build.functions():
        if c_callable(build, function):
            report.sees(function)
            first = function.instructions[0]
            if build.on("VG_CET") and first.mnemonic != "endbr64":
                report.finds(function, "does not begin with endbr64", first)
