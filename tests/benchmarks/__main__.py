"""`python -m tests.benchmarks`: measure everything, print the table, write docs/performance.md."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from importlib.metadata import PackageNotFoundError, version

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup(set_prefix=False)  # the store that ships is measured, and its archive is a table

from engine.core.values.limits import MAX_GRAPH_NODES  # noqa: E402
from tests.benchmarks import cases, graphs  # noqa: E402
from tests.benchmarks.database import ROOT  # noqa: E402
from tests.benchmarks.page import Own, page, table  # noqa: E402

APART = "\n## Several processes\n"
"""The last part of the page, from `python -m tests.benchmarks.growing`: it is kept as it stands."""

LAPS = 5_000
"""Steps of the long loop: more than a document may have nodes."""


def versions() -> dict[str, str]:
    """Return the installed peers."""
    found = {}
    for name in ("langgraph", "burr", "dbos", "pydantic-graph"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            sys.stderr.write(f"  {name} is not installed: its column stays empty\n")
    return found


def main() -> int:
    """Run the benchmarks; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="measured runs of each (default 9)")
    parser.add_argument("--no-page", action="store_true", help="do not write docs/performance.md")
    options = parser.parse_args()
    peers = versions()
    contests = []
    for measure in cases.plan(options.rounds):
        contests.append(measure())
        sys.stderr.write(f"  {contests[-1].name}\n")
    own = Own(
        growth=asyncio.run(cases.growth(3)),
        row=asyncio.run(cases.growth(2, MAX_GRAPH_NODES)),
        loop=asyncio.run(cases.ends(graphs.loop(LAPS), 2, LAPS)),
        stored=asyncio.run(cases.stored(1_000)),
        beside=asyncio.run(cases.beside(graphs.chain("bench_look", 100), 5)),
    )
    sys.stdout.write(table(contests) + "\n")
    if not options.no_page:
        written = ROOT / "docs" / "performance.md"
        _, heading, measured_apart = written.read_text().partition(APART)
        written.write_text(page(contests, own, peers) + heading + measured_apart)
    return 0


if __name__ == "__main__":
    sys.exit(main())
