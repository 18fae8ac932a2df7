"""tools/check [-C DIR] [RULE ...]: check the machine code of the archive in a build folder."""

import argparse
import os
import sys

from . import Mistake, checks  # noqa: F401
from .frame import RULES, check, table
from .machine import Build
from .suggest import suggestions

TABLE = "check.txt"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tools/check", description="Check the machine code of libvg.a in a build folder.",
        epilog=f"The table is kept as {TABLE} in the build folder. Exit status 1: something was found.",
    )  # fmt: skip
    parser.add_argument("-C", dest="folder", default="build", metavar="DIR", help="the build folder (build)")
    parser.add_argument("--list", action="store_true", help="name the rules and exit")
    parser.add_argument("--banners", action="store_true", help="print Needs, Clobber and Stack of each kernel and exit")
    parser.add_argument("rules", nargs="*", metavar="RULE", help="only these")
    options = parser.parse_args()
    if options.list:
        print("\n".join(f"{name:<16} {rule.holds}" for name, rule in RULES.items()))
        return 0
    unknown = [name for name in options.rules if name not in RULES]
    if unknown:
        parser.error(f"there is no rule {unknown[0]}; there are {', '.join(RULES)}")
    build = Build(options.folder)
    if options.banners:
        print(suggestions(build), end="")
        return 0
    reports = check(build, options.rules)
    findings = [finding for report in reports for finding in report.findings]
    text = table(reports) + "\n" + "".join(f"{note}\n" for report in reports for note in report.notes)
    if not options.rules:
        with open(os.path.join(build.folder, TABLE), "w", encoding="utf-8") as file:
            file.write(text + "".join(f"{finding}\n" for finding in findings))
    print(text, end="")
    for finding in findings:
        print(finding)
    bad = sum(bool(report.findings) for report in reports)
    skipped = text.count("\nSKIPPED:")
    print(f"{len(reports) - bad} passed, {bad} failed, {skipped} skipped")
    return int(bool(findings))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Mistake as mistake:
        sys.exit(f"tools/check: {mistake}")
