"""Names in texts that lead nowhere: fields of the start, answers of nodes."""
