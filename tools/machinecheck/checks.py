"""All checks, in the order of the table's columns."""

from . import gates, contracts  # noqa: F401
