"""What people want of a run: kept beside its log, applied by its owner, in order and once."""
