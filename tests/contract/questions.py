"""Questions, and how tests answer them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.state.requests import CLI, Actor, Answer
from engine.local import Local
from tests.contract.harness import doc, question

OPTIONS = [{"id": "a", "label": "A"}, {"id": "b", "label": "B", "description": "second"}]


def opened(local: Local, number: int = 0) -> Any:
    """Return an open interrupt of the run."""
    state = local.store.peek("r")
    assert state is not None
    return list(state.interrupts.values())[number]


async def answer(local: Local, request: Any, actor: Actor = CLI, **given: Any) -> dict[str, Any]:
    token = local.runner.token(request.request_id)
    recorded = await local.runner.answer(request.request_id, Answer(token, **given), actor)
    await local.runner.settled("r")
    return recorded


def choice(*, kind: str = "choice", options: Any = None, **config: Any) -> dict[str, Any]:
    return doc([question("q", kind=kind, options=options or OPTIONS, **config)])


ASK = {"json": {"kind": "choice", "question": "Which?", "options": OPTIONS}}


async def refused(local: Local, request: Any, actor: Actor = CLI, **given: Any) -> str:
    with pytest.raises(RequestRefused) as error:
        await answer(local, request, actor, **given)
    return error.value.code
