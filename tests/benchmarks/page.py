"""The results as a page: what was measured, how, and which targets were met."""

from __future__ import annotations

import platform
import sqlite3
from collections.abc import Sequence

from tests.benchmarks.cases import Line

PAGE = """# Performance

How fast the engine itself is: every node is trivial, so what is left is scheduling, journaling and
storing. `make bench` measures it anew and writes this page.

## What and how

- **W1** runs a chain of nodes that do nothing, in memory. **W2** is the same chain on SQLite, where
  each node makes one journaled call (`read`): its intent is on disk before the call is made, and
  its outcome with the next commit. **W3** runs 1,000 children of one node. **W4** is 200 runs at
  once whose nodes each wait 10 ms. **W5** is a run from a person's answer to its end.
- FULL and NORMAL are SQLite's `synchronous` in WAL mode: FULL survives loss of power (the
  default), NORMAL may lose the last commits then, never consistency.
- *floor* is a hand-written loop that keeps one row a node and has no graph, no journal and no
  retries: what the machine allows. *LangGraph* is version 1.2.22 with `SqliteSaver`
  (`AsyncSqliteSaver` in W4), `durability="sync"`. All ran in one process,
  taking turns (W1, W2), on the same disk. It journals node results, not calls before they are sent, so in W2 and W4 it does less.
- W1 and W2 are the quickest of several runs of each, because a neighbour on the same cores only ever
  adds; the others are medians. Read the ratios: the machine (@machine@)
  is shared, and its disk's fsync varies severalfold.

## Results

@table@

The first and the last steps of a run of 1,000 that grows 1 KB a step: @first@ and @last@ µs.

## Targets

@targets@
"""


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _notes(line: Line) -> str:
    return ", ".join(f"{name} {_number(value)}" for name, value in line.notes.items())


def table(lines: Sequence[Line]) -> str:
    """Return the results as a Markdown table."""
    rows = [
        "| workload | unit | Graphwright | floor | LangGraph | times better | more |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for line in lines:
        gain = "-" if line.gain is None else f"{line.gain:.1f}"
        cells = (
            line.name, line.unit, _number(line.ours), _number(line.floor), _number(line.peer),
            gain, _notes(line),
        )  # fmt: skip
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def targets(lines: Sequence[Line], growth: tuple[float, float]) -> str:
    """Return each target, what was measured, and whether that meets it."""
    by = {line.name: line for line in lines}
    w1, w1k = by["W1 in memory, 100 nodes"], by["W1 in memory, 1,000 nodes"]
    full, short = by["W2 SQLite FULL, 100 steps"], by["W2 SQLite NORMAL, 100 steps, +1 KB a step"]
    grown = by["W2 SQLite NORMAL, 1,000 steps, +1 KB a step"]
    carried = by["W2 SQLite NORMAL, 100 steps beside 1 MB"].notes["times a step without it"]
    fan = by["W3 SQLite NORMAL, 1,000 trivial children, 50 at a time"]
    crowd = by["W4 SQLite FULL, 200 runs of 10 nodes of 10 ms"]
    calm = by["W4 SQLite NORMAL, 200 runs of 10 nodes of 10 ms"]
    resume = by["W5 SQLite NORMAL, answer to end"]
    checks = [
        ("T1", "at most 60 µs a node in memory", w1.ours, w1.ours <= 60),
        ("T1", "at least 4 times LangGraph in memory", w1.gain, _least(w1.gain, 4)),
        ("T1", "1,000 nodes at most 1.15 times 100", w1k.ours / w1.ours, w1k.ours <= 1.15 * w1.ours),
        ("T2", "at least 6 times LangGraph at 100 growing steps", short.gain, _least(short.gain, 6)),
        (
            "T3", "one commit a step", full.notes["commits/step"],
            full.notes["commits/step"] <= 1 + 3 / 100,
        ),
        ("T4", "last step at most 1.1 times the first", growth[1] / growth[0], growth[1] <= 1.1 * growth[0]),
        ("T4", "at least 25 times LangGraph at 1,000 growing steps", grown.gain, _least(grown.gain, 25)),
        (
            "T4", "bytes on disk at most 2 times the deltas", grown.notes["bytes/step"] / 1_000,
            grown.notes["bytes/step"] <= 2_000,
        ),
        ("T5", "1 MB beside it adds at most 5 % to a step", carried, carried <= 1.05),
        ("T6", "1,000 children in at most 60 ms", fan.ours, fan.ours <= 60),
        ("T6", "at least 8 times LangGraph", fan.gain, _least(fan.gain, 8)),
        ("T7", "at least 500 runs/s at FULL (stretch)", crowd.ours, crowd.ours >= 500),
        ("T7", "at least 12 times LangGraph", crowd.gain, _least(crowd.gain, 12)),
        ("T7", "FULL at least 0.7 times NORMAL", crowd.ours / calm.ours, crowd.ours >= 0.7 * calm.ours),
        ("T8", "at most 150 µs of CPU a step", crowd.notes["CPU µs/step"], crowd.notes["CPU µs/step"] <= 150),
        ("T9", "at most 1.5 ms from answer to end", resume.ours, resume.ours <= 1.5),
        ("T9", "at most 2 commits", resume.notes["commits"], resume.notes["commits"] <= 2),
    ]  # fmt: skip
    rows = ["| | target | measured | |", "|---|---|---:|---|"]
    for name, text, value, met in checks:
        verdict = "not measured" if value is None else "met" if met else "**missed**"
        rows.append(f"| {name} | {text} | {_number(value)} | {verdict} |")
    return "\n".join(rows)


def _least(value: float | None, least: float) -> bool:
    return value is not None and value >= least


def page(lines: Sequence[Line], growth: tuple[float, float]) -> str:
    """Return docs/performance.md."""
    machine = (
        f"two shared cores of a {platform.machine()} virtual machine, Python "
        f"{platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )
    filled = {
        "@machine@": machine, "@table@": table(lines), "@first@": f"{growth[0] * 1e6:.0f}",
        "@last@": f"{growth[1] * 1e6:.0f}", "@targets@": targets(lines, growth),
    }  # fmt: skip
    text = PAGE
    for mark, value in filled.items():
        text = text.replace(mark, value)
    return text
