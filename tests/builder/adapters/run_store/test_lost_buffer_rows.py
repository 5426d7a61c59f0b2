"""Money in the database's store when a closure fails with events in the buffer."""

from __future__ import annotations

import pytest

from engine.core.decide.transition import Transition
from tests.builder.store_world import (
    BUSY,
    Installation,
    create,
    hold_of,
    installation,
    note,
    reserve,
    settle,
)

__all__ = ["installation"]

COUNTED = "SELECT spent_tokens, held_tokens FROM builder_budget"


class Boom(Exception):
    """A closure that fails."""


def failing(tx: Transition) -> None:
    note("half")(tx)
    raise Boom


async def test_memory_and_rows_agree_after_a_failed_closure(installation: Installation) -> None:
    """I6: A settlement that the closure took along is counted once, in memory as in the rows."""
    local = await installation.bare()  # a runner would go on with the run that was lost
    await create(local, BUSY, "r1")
    ledger = local.store.ledger
    kept, gone = hold_of("r1"), hold_of("r1", "gone")
    await reserve(local, "r1", kept)
    await settle(local, "r1", kept, 100, flush=False)
    await reserve(local, "r1", gone, flush=False)
    with pytest.raises(Boom):
        await local.store.transact("r1", None, failing)

    row = ledger.rows["run:r1"]
    assert (row.spent_tokens, row.held_tokens) == (0, 100)
    await settle(local, "r1", kept, 100)
    assert (row.spent_tokens, row.held_tokens, list(ledger.holds)) == (100, 0, [])
    assert installation.look.rows(COUNTED) == [(100, 0)]
