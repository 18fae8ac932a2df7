"""tools/tune: the thresholds of a machine, by measurement."""
