"""Row S3: what a node sees is read-only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.contract.harness import doc, fn, run


def _set_lane(ctx: Any) -> None:
    ctx.view.memory = {"a": 1}


def _set_key(ctx: Any) -> None:
    ctx.view.memory["a"] = 1


def _set_deep(ctx: Any) -> None:
    ctx.view.memory["deep"]["list"].append(2)


def _set_input(ctx: Any) -> None:
    ctx.view.start_input = "other"


def _delete_lane(ctx: Any) -> None:
    del ctx.view.memory


def _add_message(ctx: Any) -> None:
    ctx.messages.append({"role": "user", "content": "more"})


CHANGES = [_set_lane, _set_key, _set_deep, _set_input, _delete_lane, _add_message]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__[1:])
def test_no_part_of_the_view_can_be_assigned(change: Callable[[Any], None]) -> None:
    """S3: Assigning into the view raises and changes nothing, the lanes themselves included."""
    first = doc([fn("a", reads=["*", "input"], policy={"max_retries": 0})])
    first["initial_memory"] = {"deep": {"list": [1]}}

    outcome = run(first, input="hi", handlers={"a": lambda ctx, _params: change(ctx)})

    assert (outcome.status, outcome.code) == ("failed", "HandlerFailed")
    assert "read-only: return the change in the result" in outcome.report["error"]["message"]
    assert outcome.memory == {"deep": {"list": [1]}}


def test_a_refused_change_leaves_the_next_attempt_the_same_view() -> None:
    """S3: A refused change is not seen by the next attempt either."""
    seen: list[Any] = []

    async def handler(ctx: Any, _params: Any) -> Any:
        seen.append((ctx.view.memory, ctx.view.input))
        ctx.view.memory = {}

    first = doc([fn("a", reads=["*", "input"], policy={"max_retries": 1})])
    first["initial_memory"] = {"b": 1}
    run(first, input={"z": 0}, handlers={"a": handler})

    assert seen == [({"b": 1}, {"z": 0, "b": 1})] * 2
