"""All checks, in the order of the table's columns."""

from . import gates  # noqa: F401
