"""One activation of a node while it runs: its context, calls, children and waits."""
