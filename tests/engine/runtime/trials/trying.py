"""What tests of trials share: a line of functions that note their calls, and the log of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.state.events import Event
from engine.core.state.fold.run import fold
from engine.core.state.requests import Actor, Answer
from engine.core.state.run_state import RunState
from engine.local import Local
from tests.contract.harness import doc, fn
from tests.simulation.invariants import difference

ADA = Actor("ada", "Ada")


def line(*names: str, **fields: Any) -> dict[str, Any]:
    """Return a graph of functions one after the other."""
    return doc([fn(name) for name in names], **fields)


def noted(called: list[str], *names: str) -> dict[str, Callable[..., Any]]:
    """Return handlers that note their names and give `{name: name done}`."""

    def handler(name: str) -> Callable[..., Any]:
        def call(ctx: Any, params: Any) -> Any:
            called.append(name)
            return {"data": {name: f"{name} done"}}

        return call

    return {name: handler(name) for name in names}


async def log(local: Local, run_id: str = "r") -> list[Event]:
    """Return the events of a run."""
    return list(await local.store.events(run_id, 0, 10_000))


async def go_on(local: Local, decision: str, actor: Actor = ADA, run_id: str = "r") -> RunState:
    """Answer the only open pause of a run and return how it rests then."""
    state = await local.store.warm(run_id)
    [request_id] = state.interrupts
    answer = Answer(local.runner.token(request_id), decision=decision)
    await local.runner.answer(request_id, answer, actor, run_id=run_id)
    return await local.runner.settled(run_id)


async def folds_alike(local: Local, run_id: str = "r") -> None:
    """Check that the log folds to the state that the engine worked with."""
    state = await local.store.warm(run_id)
    again = fold(state.program, await log(local, run_id))
    again.run_id = run_id  # the store's to say
    assert not (found := difference(again, state)), found
