"""Questions about budgets, looked at again when a limit has changed: what fits now goes on."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.budget_rows import SHARED, BudgetRow
from engine.errors import RunNotFound, StoreError
from engine.spending import shared_with
from engine.state import OpenInterrupt

if TYPE_CHECKING:
    from engine.runner import Runner
    from engine.transition import Transition


def limit_moved(row: BudgetRow, request: Mapping[str, Any]) -> bool:
    """Return whether a shared budget's limit is no longer the one that a question shows."""
    usd = None if row.limit_usd is None else str(row.limit_usd)
    shown = (request.get("limit_usd"), request.get("limit_tokens"))
    return row.level in SHARED and not _same((usd, row.limit_tokens), shown)


def _same(one: tuple[str | None, int | None], other: tuple[str | None, int | None]) -> bool:
    def plain(limit: tuple[str | None, int | None]) -> tuple[Decimal | None, int | None]:
        return None if limit[0] is None else Decimal(limit[0]), limit[1]

    return plain(one) == plain(other)


async def recheck_budgets(runner: Runner) -> int:
    """Let every run look again that asks for more of a shared budget; return how many do.

    What fits now goes on; what still does not asks anew, with the limit that holds now.
    """
    woken: set[str] = set()

    def look(tx: Transition) -> None:
        for opened in list(tx.state.interrupts.values()):
            if _settled(tx, opened):
                data = {"request_id": opened.request_id, "outcome": "superseded"}
                tx.emit("InterruptResolved", opened.key, data)
                woken.add(tx.state.run_id)

    for run_id in await runner.store.asking_for_budget():
        with suppress(RunNotFound, StoreError):  # a run that is lost now asks again by itself
            await runner.step(run_id, None, look, flush=True)
    return len(woken)


def _settled(tx: Transition, opened: OpenInterrupt) -> bool:
    """Return whether a question about a shared budget need not, or must not, stand as it is."""
    request = opened.request
    if opened.kind != "budget" or request.get("level") not in SHARED:
        return False
    ref = next((ref for ref in shared_with(tx) if ref.id == request["budget"]), None)
    if ref is None:
        return True
    row = tx.ledger.ensure(ref)
    return limit_moved(row, request) or row.fits(
        request["asked_tokens"], Decimal(request["asked_usd"])
    )
