"""The results as a page: what was measured, how, who was quicker, and what is left to do."""

from __future__ import annotations

import platform
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from tests.benchmarks.cases import PEERS
from tests.benchmarks.contest import FLOOR, US, Contest

PAGE = """# Performance

How fast the engine itself is: every node is trivial, so what is left is scheduling, journaling and
storing. `make bench-peers` measures it anew and writes this page; the figures below are one run of it.

## What and how

- **W1** is a chain of nodes in memory. **W2** is a chain that is durable after each node. **W3** is a map over
  1,000 items, 50 at a time. **W4** is 200 runs at once whose ten nodes each wait 10 ms. **W5** is a run
  from a person's answer to its durable end, one node later.
- Every node writes memory: a small value, a kilobyte in the place of the last one, or a kilobyte more at
  each step.
- Ours are the node types that ship (`function`, `map`, `question`), with asynchronous handlers, on the store
  that the server uses. In W2 to W4 each handler makes one tool call (`read`): a commit before each call is
  what makes a node durable here. What only computes is not committed by itself.
- *LangGraph* @langgraph@ runs plain functions by `invoke`, quicker for one run than `ainvoke`, on `SqliteSaver`
  with `durability="sync"`; W4 is `ainvoke` on `AsyncSqliteSaver`. Its graph is compiled once.
- *Burr* @burr@ runs plain actions by `Application.run` on `SQLitePersister`. Its graph is built once and an
  application for each run, as it wants; `MapStates` in a pool of 50 threads is its map. It has no durable
  map, and no W4 here: its SQLite persister serves one thread.
- *DBOS* @dbos@ runs a workflow of plain steps on its SQLite system database; W4 are asynchronous workflows.
  Where a workflow waits for a message it looks each millisecond, for its own second would be all of W5. It has
  neither a graph nor a mode without a database; its threads of the process are alive while others take their turn.
- *pydantic-graph* @pydantic-graph@ runs asynchronous steps and keeps nothing, so it has no durable row. Its map
  has no limit of how many go at a time.
- *floor* is a hand-written loop that keeps one row a node and has no graph, no journal and no
  retries: what the machine allows. In W3 it is a gather over the items, 50 at a time, with one row an item.
- FULL and NORMAL are SQLite's `synchronous` in WAL mode: FULL survives loss of power (our default), NORMAL
  may lose the last commits then, never consistency. Everybody runs on the same setting.
- Everybody is warm (one unmeasured run), all take turns in one process, and the order changes with each
  round. Shown is the median, the quickest and slowest run in brackets, CPU of the whole process behind
  the slash. The machine (@machine@) is shared: read the ratios.
- What the durable rows mean differs. We record that a call is about to be made before it is made, so that after
  a crash nothing is sent twice; LangGraph, Burr and DBOS record results. We keep the log of what happened;
  LangGraph keeps the changed channels, Burr the whole state, DBOS what each step returned.

## Results

@table@

Ratios, theirs by ours: above 1 we are quicker, below 1 they are.

@ratios@

@where@

## Growth

The first and the last steps of a run of 1,000 that grows 1 KB a step take @first@ and @last@ µs. It writes
@bytes@ bytes a step with @commits@ commits. 1 MB of memory that no node touches makes a step
@beside@ times as long.

The same in longer runs: in a row of 2,000, the most nodes that a document may have, the
first take @row_first@ µs and the last @row_last@; in a loop of 5,000 steps, which writes a kilobyte in the place of the
last one, @loop_first@ and @loop_last@ µs.
"""


@dataclass(frozen=True, slots=True)
class Own:
    """What only our engine is asked: seconds of first and last steps, and of a step beside 1 MB.

    `growth` is of 1,000 steps, `row` of 2,000, which is the most nodes of a document, `loop` of 5,000.
    """

    growth: tuple[float, float]
    row: tuple[float, float]
    loop: tuple[float, float]
    stored: tuple[float, float]
    beside: tuple[float, float]


WHO = (FLOOR, US, *PEERS)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _cell(contest: Contest, who: str) -> str:
    figure, spread, cpu = contest.figure(who), contest.spread(who), contest.cpu(who)
    if figure is None or spread is None or cpu is None:
        return "-"
    low, high = spread
    return f"{_number(figure)} ({_number(low)}-{_number(high)}) / {_number(cpu)}"


def table(contests: Sequence[Contest]) -> str:
    """Return every figure as a Markdown table: median (spread) / CPU."""
    rows = [f"| workload | unit | {' | '.join(WHO)} |", "|---|---|" + "---:|" * len(WHO)]
    for contest in contests:
        cells = [contest.name, contest.unit, *(_cell(contest, who) for who in WHO)]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def ratios(contests: Sequence[Contest]) -> str:
    """Return how many times longer than ours each peer's median is."""
    rows = [f"| workload | {' | '.join(PEERS)} |", "|---|" + "---:|" * len(PEERS)]
    for contest in contests:
        shown = [contest.times(who) for who in PEERS]
        cells = ["-" if times is None else f"{times:.2f}" for times in shown]
        rows.append(f"| {contest.name} | {' | '.join(cells)} |")
    return "\n".join(rows)


def where_peers_win(contests: Sequence[Contest]) -> str:
    """Return a sentence for each peer about the rows where it is quicker than we are."""
    said = []
    for who in PEERS:
        rows = [c.name for c in contests if (c.times(who) or 1) < 1]
        entered = any(c.times(who) is not None for c in contests)
        if rows:
            said.append(f"**{who} is quicker than we are** in: {'; '.join(rows)}.")
        elif entered:
            said.append(f"{who} is quicker in no row.")
    return "\n".join(said)


def page(contests: Sequence[Contest], own: Own, versions: dict[str, str]) -> str:
    """Return docs/performance.md."""
    machine = (
        f"two shared cores of a {platform.machine()} virtual machine, Python "
        f"{platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )
    filled = {
        "@machine@": machine,
        "@table@": table(contests),
        "@ratios@": ratios(contests),
        "@where@": where_peers_win(contests),
        "@langgraph@": versions.get("langgraph", "-"),
        **{f"@{name}@": versions.get(name, "-") for name in ("burr", "dbos", "pydantic-graph")},
        "@first@": f"{own.growth[0] * 1e6:.0f}",
        "@last@": f"{own.growth[1] * 1e6:.0f}",
        "@row_first@": f"{own.row[0] * 1e6:.0f}",
        "@row_last@": f"{own.row[1] * 1e6:.0f}",
        "@loop_first@": f"{own.loop[0] * 1e6:.0f}",
        "@loop_last@": f"{own.loop[1] * 1e6:.0f}",
        "@commits@": _number(own.stored[0]),
        "@bytes@": _number(own.stored[1]),
        "@beside@": f"{own.beside[1] / own.beside[0]:.2f}",
    }
    text = PAGE
    for mark, value in filled.items():
        text = text.replace(mark, value)
    return text
