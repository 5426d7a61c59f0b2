"""The doors under the kit: what comes in, what starts by itself, who calls, and who is told."""
