"""A run is retried after parts of it were undone: what was taken back is done again, once."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from engine.core.errors import RequestRefused
from engine.core.state.requests import CLI, Answer
from engine.core.state.run_state import RunState
from tests.engine.lab import Lab
from tests.engine.runtime.test_primitives import virtually
from tests.engine.runtime.test_undo import Booker, booking, say_yes

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

LOOKS = ("look", "look", "look")
ALL = ["b0", "b1", "b2"]


async def retried(lab: Lab, run_id: str = "r") -> str:
    """Retry a run and return the id of the new one, once it rests."""
    new_id = await lab.runner.retry(run_id, "ann")
    await lab.runner.settled(new_id)
    return new_id


def undone(lab: Lab, run_id: str) -> list[tuple[str, bool]]:
    """Return the undos of a run in order, and whether they were made."""
    found = lab.events("CompensationRun", run_id=run_id)
    return [(str(e.data["node"]), e.data["ok"]) for e in found]


def begun(lab: Lab) -> list[str]:
    """Return the bookings that were made since the last look."""
    made, Desk.made = Desk.made, []
    return made


class Desk(Booker):
    """Book something whose undo may be impossible, and keep a list."""

    type = "t_book"
    made: ClassVar[list[str]] = []
    refuses: ClassVar[set[str]] = set()

    async def run(self, ctx: Any, config: Any) -> Any:
        Desk.made.append(ctx.node.id)
        return await super().run(ctx, config)

    async def undo(self, ctx: Any, request: Any) -> Any:
        """Fail for the nodes that are named in `refuses`."""
        if ctx.node.id in self.refuses:
            raise ValueError("the desk is closed")
        return await super().undo(ctx, request)


def desk(*tools: str, refuses: str = "") -> Lab:
    """Return a run that books once for each tool; some of it cannot be undone."""
    Desk.made, Desk.refuses = [], set(refuses.split())
    lab = booking(*tools)
    lab.graphs.types._types["t_book"] = Desk()
    return lab


async def fail(lab: Lab, run_id: str) -> RunState:
    """Answer the last node, which then fails for good; return the state at the end."""
    request = lab.open_request(run_id)
    await lab.runner.answer(request, Answer(lab.runner.token(request), values="yes"), CLI)
    return await lab.runner.settled(run_id)


@virtually
async def test_everything_that_was_undone_is_done_again() -> None:
    """C33, C51: A retry starts before the first of several undone nodes, again and again."""
    lab = desk("look", "charge", "look")
    await lab.start()
    await fail(lab, "r")
    back = [("b2", True), ("b1", True), ("b0", True)]
    assert undone(lab, "r") == back

    assert begun(lab) == ALL
    second = await retried(lab)
    assert begun(lab) == ALL
    state = await fail(lab, second)
    assert (state.status, undone(lab, second)) == ("failed", back)
    await retried(lab, second)
    assert begun(lab) == ALL
    assert lab.world.executed == {"undo g": 2}


@virtually
async def test_what_could_not_be_undone_is_not_done_twice() -> None:
    """C33, C51: A node whose undo failed still stands; it is kept, and undone by the next failure."""
    lab = desk(*LOOKS, refuses="b0 b1")
    await lab.start()
    await fail(lab, "r")
    assert undone(lab, "r") == [("b2", True), ("b1", False), ("b0", False)]

    assert begun(lab) == ALL
    second = await retried(lab)
    assert begun(lab) == ["b2"]
    Desk.refuses = set()
    await fail(lab, second)
    assert undone(lab, second) == [("b2", True), ("b1", True), ("b0", True)]


@virtually
async def test_nothing_undone_means_the_failed_node_alone() -> None:
    """C33, C51: Where every undo failed, the retry starts at the node that failed."""
    lab = desk(*LOOKS, refuses="b0 b1 b2")
    await lab.start()
    await fail(lab, "r")

    assert begun(lab) == ALL
    assert lab.open_request(await retried(lab))
    assert begun(lab) == []


@pytest.mark.parametrize(
    ("said", "again"), [("happened", ["b1"]), ("skip", [])], ids=["happened", "skip"]
)
def test_a_doubtful_undo_counts_as_a_person_says(said: str, again: list[str]) -> None:
    """C33, C51: An undo that happened is done again; one that is skipped left the node standing."""

    @virtually
    async def play() -> None:
        lab = desk("look", "mail", refuses="b0")
        await lab.start()
        lab.stop_at = "tool:mail:done"
        await say_yes(lab)
        await lab.stopped.wait()
        await lab.crash()
        assert (await lab.runner.settled("r")).status == "ending"
        with pytest.raises(RequestRefused) as refused:
            await lab.runner.retry("r", "ann")
        assert refused.value.code == "RunNotRetryable"
        state = await lab.answer(decision=said, actor=CLI)
        assert state.status == "failed"

        assert begun(lab) == ["b0", "b1"]
        await retried(lab)
        assert begun(lab) == again

    play()
