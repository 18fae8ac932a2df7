"""All checks, in the order of the table's columns."""

from . import gates, timing, contracts, isolation, hygiene, links, stack  # noqa: F401
