"""Constant time, by dataflow."""

from ..frame import Report, rule
from ..machine import Build
from .analysis import Result, analysis
from .declared import OF_NOT_FOLLOWED, WITHOUT_SECRETS


@rule("constant-time", "on every path, no branch, address, count or slow operand depends on a secret")
def constant_time(build: Build, report: Report) -> None:
    all_of = analysis(build)
    for text in all_of.differences:
        report.finds("asm/include/layout.inc", text)
    reached = set()
    for result in [*all_of.kernels, *all_of.c]:
        tell(report, result)
        reached |= {id(function) for function in result.seen}
    for function in all_of.not_followed:
        report.notes_down(f"constant-time: {function.name}: not followed; tests/secrets.c runs it under valgrind")
    if not all_of.is_gcc:
        report.notes_down("constant-time: of C, the operations of the portable variant alone are followed: not built by gcc")
    for function in build.functions():
        if function.object.is_c and not all_of.is_gcc:
            continue
        if function.object.name in WITHOUT_SECRETS or all_of.not_followed and function.object.name in OF_NOT_FOLLOWED:
            continue
        if id(function) not in reached:
            report.finds(function, "no function that is followed comes here, so that nothing is known of its arguments")


def tell(report: Report, result: Result) -> None:
    report.sees(result.function)
    for found in result.found.values():
        caller = "" if found.function is result.function else f", called from {result.function.name}"
        report.finds(found.function, found.text + caller, found.instruction)
    for note in result.notes:
        report.notes_down(f"constant-time: {result.function.name}: {note}")
    for step in result.verdicts:
        report.notes_down(
            f"constant-time: {result.function.name}: {step.instruction}: looks at whether the tags are equal, "
            "as declared: the verdict is public"
        )
