"""What a drawing tells of the steps after an approval: whether they can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from builder.reads.inbox.drawn import Drawing
from engine.core.effects import EffectClass

POST = {"type": "http_request", "config": {"url": "https://a.example", "method": "POST"}}
LOOK = {"type": "http_request", "config": {"url": "https://a.example", "method": "GET"}}
PAY = {"type": "tool", "config": {"tool_id": "bank/pay"}}
PURE = {"type": "output", "config": {}}
ASK = {"type": "approval", "config": {}}
EFFECTS = {"bank/pay": EffectClass.KEYED, "bank/look": EffectClass.READ}


def drawing(*steps: dict[str, Any], on: str = "completed") -> Drawing:
    """Draw a line: an approval, and then these."""
    nodes = [{"id": "ask", "type": "approval"}]
    nodes += [{"id": f"n{place}", **step} for place, step in enumerate(steps)]
    ids = [node["id"] for node in nodes]
    edges = [{"source": a, "target": b} for a, b in zip(ids, [*ids[1:], "__end__"], strict=True)]
    edges[0] = {**edges[0], "on": on}
    return Drawing({"nodes": nodes, "edges": edges})


def test_what_is_sent_stays_done() -> None:
    found = drawing(POST)
    assert found.stays_done("ask", dict)
    assert not found.stays_done("n0", dict)
    assert not drawing(LOOK).stays_done("ask", dict)
    assert not drawing().stays_done("ask", dict)


def test_a_tool_does_what_is_known_of_it_and_may_do_anything_else() -> None:
    look = {"type": "tool", "config": {"tool_id": "bank/look"}}
    unknown = {"type": "tool", "config": {"tool_id": "gone"}}

    assert drawing(PAY).stays_done("ask", lambda: EFFECTS)
    assert drawing(unknown).stays_done("ask", lambda: EFFECTS)
    assert not drawing(look).stays_done("ask", lambda: EFFECTS)


def test_nobody_asks_about_tools_where_none_is_called() -> None:
    def effects() -> dict[str, EffectClass]:
        raise AssertionError

    assert drawing(POST).stays_done("ask", effects)


def test_what_the_workflow_takes_back_itself_is_not_marked() -> None:
    undo = {"tool_id": "bank/back"}
    undone = {**PAY, "config": {**PAY["config"], "compensation": undo}}  # type: ignore[dict-item]

    assert not drawing({**undone, "requires_compensation": True}).stays_done("ask", lambda: EFFECTS)
    assert drawing(undone).stays_done("ask", lambda: EFFECTS)


def test_steps_without_effect_are_passed_over_and_people_are_not() -> None:
    off = {**POST, "disabled": True}

    assert drawing(PURE, off, POST).stays_done("ask", dict)
    assert not drawing(off).stays_done("ask", dict)
    assert not drawing(ASK, POST).stays_done("ask", dict)
    assert not drawing(LOOK, POST).stays_done("ask", dict)


@pytest.mark.parametrize("on", ["rejected", "timed_out", "failed"])
def test_other_ways_out_do_not_count(on: str) -> None:
    assert not drawing(POST, on=on).stays_done("ask", dict)


@pytest.mark.parametrize(
    "broken", [{"type": "nobody_has_it"}, {"type": "http_request", "config": {"method": 5}}]
)
def test_what_cannot_be_read_is_not_marked(broken: dict[str, Any]) -> None:
    assert not drawing(broken).stays_done("ask", dict)


def test_a_circle_ends() -> None:
    found = drawing(PURE)
    back = {"source": "n0", "target": "n0"}
    looped = Drawing(
        {**found.document, "edges": [*found.document["edges"], back, {**back, "target": "ask"}]}
    )
    assert not looped.stays_done("ask", dict)
