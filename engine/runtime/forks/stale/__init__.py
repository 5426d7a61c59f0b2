"""What of a run still holds for another draft, by hashes: what is stale, and a run of only that."""
