"""tools/report: what an archive costs, and which CPUs get what from it."""
