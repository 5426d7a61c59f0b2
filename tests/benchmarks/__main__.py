"""`python -m tests.benchmarks`: measure everything, print the table, write docs/performance.md."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable

from tests.benchmarks import cases
from tests.benchmarks.cases import HAS_PEER, Line
from tests.benchmarks.database import ROOT
from tests.benchmarks.page import page, table


def plan(repeats: int) -> list[Callable[[], Line]]:
    """Return the measurements in their order."""
    few = max(repeats // 2, 2)
    return [
        lambda: cases.in_memory(100, repeats),
        lambda: cases.in_memory(1_000, few),
        lambda: cases.durable(100, "NORMAL", repeats * 4),
        lambda: cases.durable(100, "FULL", repeats),
        lambda: cases.durable(1_000, "NORMAL", few),
        lambda: cases.durable(1_000, "FULL", few),
        lambda: cases.durable(100, "NORMAL", repeats * 4, growing=True),
        lambda: cases.durable(1_000, "NORMAL", few, growing=True),
        lambda: cases.carried(100, repeats),
        lambda: cases.fanned("bench_trivial", 1_000, repeats * 2),
        lambda: cases.fanned("bench_look", 1_000, few),
        lambda: cases.crowded("FULL", few),
        lambda: cases.crowded("NORMAL", few),
        lambda: cases.resumed(repeats * 4),
    ]


def main() -> int:
    """Run the benchmarks; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="runs of each case (default 5)")
    parser.add_argument("--no-page", action="store_true", help="do not write docs/performance.md")
    options = parser.parse_args()
    if not HAS_PEER:
        sys.stderr.write("  LangGraph is not installed: its columns stay empty\n")
    lines = []
    for measure in plan(options.repeats):
        lines.append(measure())
        sys.stderr.write(f"  {lines[-1].name}\n")
    growth = asyncio.run(cases.growth(3))
    sys.stdout.write(table(lines) + "\n")
    sys.stdout.write(f"first and last steps: {growth[0] * 1e6:.0f} and {growth[1] * 1e6:.0f} µs\n")
    if not options.no_page:
        (ROOT / "docs" / "performance.md").write_text(page(lines, growth))
    return 0


if __name__ == "__main__":
    sys.exit(main())
