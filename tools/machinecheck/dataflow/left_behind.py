"""Nothing left behind: registers and stack at the exits of kernels."""

from ..frame import Report, rule
from ..machine import Build
from .analysis import Result, analysis


@rule("left-behind", "with VG_WIPE, no register and no stack of a kernel holds a secret when it returns")
def left_behind(build: Build, report: Report) -> None:
    kernels = analysis(build).kernels
    if not build.on("VG_WIPE") or not kernels:
        why = "there are no kernels" if build.on("VG_WIPE") else "VG_WIPE is off"
        report.sees("archive")
        report.notes_down(f"left-behind: nothing was looked at: {why}")
        return
    for result in kernels:
        tell(report, result)


def tell(report: Report, result: Result) -> None:
    report.sees(result.function)
    for found in result.left.values():
        report.finds(result.function, found.text, found.instruction)
