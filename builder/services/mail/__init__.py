"""Letters: what is due to whom, and about accounts."""
