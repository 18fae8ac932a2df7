"""All checks, in the order of the table's columns."""

from . import gates, timing, contracts, isolation, hygiene, links, stack  # noqa: F401
from .dataflow import constant_time, left_behind  # noqa: F401
