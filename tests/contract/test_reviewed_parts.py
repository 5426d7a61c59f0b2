"""Rows C92 and C96: an approval that reviews a part of a memory key covers that part alone."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.effects import EffectClass
from tests.contract.harness import Outcome, approval, doc, fn, run

YES = {"decision": "approved"}
NOTES = {"notes": {"a": 1, "b": 2}}


def paid(written: Any, *, merge: str = "deep", answers: int = 1) -> Outcome:
    """Approve `notes.a`; what a branch beside it wrote stands before the payment is sent."""
    sent: list[Any] = []

    async def pay(ctx: Any, params: Any) -> Any:
        async def call(_key: str) -> str:
            sent.append(ctx.run_id)
            return "paid"

        return {"output": await ctx.perform("pay", {}, EffectClass.UNSAFE, call)}

    async def change(ctx: Any, params: Any) -> Any:
        await ctx.interrupt({"kind": "text", "question": "Go on?"})
        return {"data": written}

    nodes = [
        approval("p", review_keys=["notes.a"]),
        fn("change", merge=merge),
        fn("meet", "nothing"),
        fn("pay"),
    ]
    edges = ["__start__ -> p -> meet -> pay", "__start__ -> change -> meet"]
    done = run(
        doc(nodes, edges, initial_memory=NOTES),
        {"functions": {"nothing": {"returns": {}}}},
        {"p": [YES], "change": [{"selected": "yes"}], "pay": [YES] * (answers - 1)},
        handlers={"pay": pay, "change": change},
    )
    assert len(sent) == (done.status == "completed")
    return done


def test_what_is_unchanged_is_not_asked_again() -> None:
    """C96, C92: An approval of a part is not asked again while that part stays as it was."""
    untouched = paid({})
    beside = paid({"notes": {"b": 3}})

    assert (untouched.status, beside.status) == ("completed", "completed")
    assert [len(each.of("InterruptOpened", "pay")) for each in (untouched, beside)] == [0, 0]


@pytest.mark.parametrize(
    ("written", "merge", "shown"),
    [
        ({"notes": {"a": 9}}, "deep", {"notes": {"a": 9}}),
        ({"notes": {"b": 3}}, "replace", {}),
        ({"notes": "gone"}, "replace", {}),
    ],
)
def test_a_part_that_changed_or_is_gone_is_asked_again(
    written: Any, merge: str, shown: Any
) -> None:
    """C96, C92: A part that changed, or that is no longer there, is asked again, and only it shown."""
    waits = paid(written, merge=merge)
    (item,) = waits.report["interrupts"]

    assert (waits.status, item["node"], item["request"]["data"]) == ("waiting", "pay", shown)
    assert paid(written, merge=merge, answers=2).status == "completed"
