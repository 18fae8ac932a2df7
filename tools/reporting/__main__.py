"""tools/report [NAME_defconfig | -C DIR]"""

import argparse
import os
import sys

from benchmark import Mistake
from benchmark.build import ROOT, call

from . import facts, page, plots, tables

PAGE = "report.html"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/report",
        description="Bytes of text, constants, contexts and stack; thresholds; which CPUs get what. Prints Markdown, and "
        f"keeps a page with pictures in the build directory: {PAGE}.",
    )
    parser.add_argument("name", nargs="?", metavar="NAME_defconfig", help="build this one first, in build-NAME")
    parser.add_argument("-C", dest="directory", metavar="DIR", help="of this build directory (build)")
    options = parser.parse_args()
    if options.name and options.directory:
        parser.error("a defconfig is built in a directory of its own; -C names one that is configured")
    return options


def directory_of(options: argparse.Namespace) -> str:
    if not options.name:
        return options.directory or "build"
    name = options.name.removesuffix("_defconfig")
    directory = os.path.join(ROOT, f"build-{name}")
    call([os.path.join(ROOT, "tools/configure"), name, "-o", directory], cwd=ROOT)
    return directory


def pictures(found: facts.Facts) -> dict[str, str]:
    try:
        drawn = {"Text by variant": plots.text_by_owner(found), "All functions": plots.largest_functions(found)}
    except Mistake as mistake:
        found.missing.append(str(mistake))
        return {}
    return drawn


def main() -> None:
    directory = directory_of(parse_arguments())
    if not os.path.exists(os.path.join(directory, "build.ninja")):
        raise Mistake(f"{directory}: not a build directory: tools/configure makes one")
    call(["ninja", "-C", directory, "libvg.a"])
    found = facts.gather(directory)
    drawn = pictures(found)
    path = os.path.join(directory, PAGE)
    with open(path, "w", encoding="utf-8") as file:
        file.write(page.page(found, drawn))
    print(f"# {found.title}\n\n" + "\n\n".join(table.markdown() for table in tables.all_tables(found)))
    for text in found.missing:
        print(f"\nNot there: {text}")
    print(f"\narchive: {os.path.relpath(os.path.join(directory, 'libvg.a'))}\npage: {os.path.relpath(path)}")


if __name__ == "__main__":
    try:
        main()
    except Mistake as mistake:
        sys.exit(f"report: {mistake}")
