"""`python -m engine run FILE …` and `python -m engine check FILE …`: the commands by themselves."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from engine.cli import check_graph, run_graph

COMMANDS = {"run": run_graph.main, "check": check_graph.main}


def main(argv: Sequence[str]) -> int:
    """Delegate to one of the commands; return its exit status."""
    command = COMMANDS.get(argv[0]) if argv else None
    if command is None:
        sys.stderr.write("usage: python -m engine {run,check} FILE ...\n")
        return 2
    return command(argv[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
