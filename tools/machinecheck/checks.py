"""All checks, in the order of the table's columns."""

from . import gates, timing, contracts, isolation, hygiene, links  # noqa: F401
