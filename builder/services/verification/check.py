"""The whole check: every run, then the books, then every audit chain."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from builder.services.verification.chain import check_chain, check_deeds
from builder.services.verification.folding import fold
from builder.services.verification.money import Books
from builder.services.verification.run_rows import RunRow, run_rows
from builder.services.verification.runs import check_run
from builder.services.verification.snapshot import Finding, Snapshot
from engine.core.ports import GraphSource


@dataclass(slots=True)
class Looked:
    """How much was looked at."""

    runs: int = 0
    events: int = 0
    chains: int = 0


async def check(
    look: Snapshot,
    graphs: GraphSource,
    looked: Looked,
    *,
    workspace_id: str | None = None,
    run_id: str | None = None,
) -> AsyncIterator[Finding]:
    """Yield what disagrees: of everything, of one workspace, or of one run alone.

    With one run neither budgets that others share nor the chains are looked at.
    """
    books = Books(look)
    for row in run_rows(look, workspace_id, run_id):
        looked.runs += 1
        async for finding in _run(look, graphs, row, books, looked):
            yield finding
    if run_id is not None:
        return
    for finding in books.check_budgets(workspace_id):
        yield finding
    wanted = [workspace_id] if workspace_id is not None else _workspaces(look)
    for each in wanted:
        looked.chains += 1
        for finding in (*books.check_spending(each), *check_chain(look, each)):
            yield finding


async def _run(
    look: Snapshot, graphs: GraphSource, row: RunRow, books: Books, looked: Looked
) -> AsyncIterator[Finding]:
    if row.number is None:
        yield Finding(f"run {row.id}", "it has no number, so nothing finds its log")
        return
    folded = await fold(look, graphs, row.id, row.number)
    books.add(str(row.values["workspace_id"]), folded)
    for finding in folded.wrong:
        yield finding
    if folded.state is None or folded.wrong:
        return
    looked.events += folded.state.seq
    for finding in check_run(look, row, folded.state):
        yield finding
    for finding in check_deeds(look, row.id, row.number, folded.actions):
        yield finding


def _workspaces(look: Snapshot) -> list[str]:
    return [row[0] for row in look.rows("SELECT id FROM builder_workspace ORDER BY id")]
