"""The command line."""

import argparse

USAGE = """\
tools/bench [options]                      measure, print tables, keep the results
tools/bench table FILE                     the tables of kept results
tools/bench plot FILE [--to DIR]           pictures of them
tools/bench cliffs [options]               every length from 0 to 2,048: where does the time jump?
tools/bench size [-C DIR]                  text, constants, contexts and stack
tools/bench compare BASE HEAD              did kept results get slower?
tools/bench compare --build REV [options]  did this tree get slower since REV? Builds and runs both in turn
tools/bench list                           the groups and candidates there are"""

COMMANDS = ("run", "table", "plot", "cliffs", "size", "compare", "list")


def share(text: str) -> float:
    """A percentage as a share of 1."""
    return float(text.removesuffix("%")) / 100


def add_build_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-C", dest="directory", metavar="DIR", help="measure this build directory as it is configured")
    parser.add_argument(
        "--set", action="append", default=[], metavar="VG_X=y", help="set a symbol in the bench's own build"
    )


def add_measure_options(parser: argparse.ArgumentParser) -> None:
    add_build_options(parser)
    parser.add_argument("--quick", action="store_true", help="fewer sizes: under a minute")
    parser.add_argument(
        "--ways", action="store_true", help="ours also as copy, split and stream, whatever thresholds say, and whole"
    )
    parser.add_argument("--group", metavar="LIST", help="groups, commas between, * allowed (all)")
    parser.add_argument("--sizes", metavar="LIST", help="text lengths such as 16,64,0-2048:8")
    parser.add_argument("--key-bits", metavar="LIST", help="128, 192, 256 (128,256)")
    parser.add_argument("--candidates", metavar="LIST", help="names, * allowed (all)")
    parser.add_argument(
        "--peer",
        action="append",
        default=[],
        metavar="NAME=PATH.so",
        help="one more library, of the EVP or EVP_AEAD kind",
    )
    parser.add_argument("--samples", type=int, metavar="N", help="samples of a row in each pass (16)")
    parser.add_argument("--passes", type=int, default=3, metavar="N", help="passes over all rows (3)")
    parser.add_argument(
        "--settle", type=int, metavar="N", help="more passes over rows that were disturbed, at most (6)"
    )
    parser.add_argument("--batch-us", type=int, metavar="N", help="microseconds that one sample takes at least (4)")
    parser.add_argument("--cpu", type=int, metavar="N", help="the CPU to run on (the last one)")


def add_table_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ratio-to", metavar="NAME", help="the candidate that ratios are to, or none (the widest ipsec-mb)"
    )
    parser.add_argument("--stat", choices=("min", "p25", "median"), default="p25", help="of the samples (p25)")
    parser.add_argument("--cycles", action="store_true", help="TSC cycles per byte instead of ns")


def add_cliff_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cliff-group", type=int, default=128, metavar="BYTES", help="the bytes of a block-group (128)"
    )
    parser.add_argument("--cliff-limit", type=share, default=0.15, metavar="PERCENT", help="of its time (15)")


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    command = arguments[0] if arguments and arguments[0] in COMMANDS else "run"
    rest = arguments[1:] if arguments and arguments[0] == command else arguments
    parser = argparse.ArgumentParser(prog="tools/bench", usage=USAGE if command == "run" else None)
    if command != "run":
        parser.prog += " " + command
    if command in ("run", "cliffs", "compare"):
        add_measure_options(parser)
    if command in ("run", "cliffs"):
        parser.add_argument(
            "-o", dest="output", metavar="FILE", help="where to keep the results (DIR/results/TIME.json)"
        )
    if command in ("run", "table"):
        add_table_options(parser)
    if command in ("cliffs", "plot"):
        add_cliff_options(parser)
    if command in ("plot", "cliffs"):
        parser.add_argument("--to", metavar="DIR", help="the folder for pictures (beside the results)")
    if command == "plot":
        parser.add_argument("--ratio-to", metavar="NAME", help="the candidate that ratios are to (the widest ipsec-mb)")
        parser.add_argument("--candidates", metavar="LIST", help="names, * allowed (all)")
        parser.add_argument("--machine", metavar="TEXT", help="what the pictures say of the machine")
    if command in ("table", "plot"):
        parser.add_argument("file", metavar="FILE")
    if command in ("size", "list"):
        add_build_options(parser)
    if command == "size":
        parser.add_argument("--functions", action="store_true", help="every function, too")
    if command == "compare":
        parser.add_argument("--all", action="store_true", help="show the rows that stayed the same, too")
        parser.add_argument("files", nargs="*", metavar="FILE", help="BASE and HEAD")
        parser.add_argument("--build", metavar="REV", help="the base: this revision, built beside this tree")
        parser.add_argument(
            "--limit", type=share, default=0.10, metavar="PERCENT", help="slower than this is a regression (10)"
        )
        parser.add_argument(
            "--control-limit",
            type=share,
            default=0.10,
            metavar="PERCENT",
            help="rows whose controls moved more are set aside (10)",
        )
    if command in ("compare", "cliffs"):
        parser.add_argument(
            "--confirm", type=int, default=3, metavar="N", help="rounds that measure suspects again (3)"
        )
    options = parser.parse_args(rest)
    options.command = command
    return options
