"""Fields that only some people may edit: held where the decision counts, inherited by stand-ins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.state.requests import CLI
from tests.engine.check.graphs import found, line, node
from tests.engine.lab import Lab
from tests.engine.runtime.approvals.test_approval_rules import (
    ANN,
    BOB,
    DAN,
    asking,
    ended,
    item,
    refused,
    say,
)
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
BOTH = {"note": 1, "iban": "DE1"}


def narrowed(policy: dict[str, Any] | None = None) -> Lab:
    """Anybody may decide and edit the note; the account is for finance."""
    keys = ["note", "iban"]
    return asking(
        policy or {},
        ANN,
        BOB,
        DAN,
        initial=BOTH,
        review_keys=keys,
        editable_keys=keys,
        editable_by={"iban": ["group:finance"]},
    )


@virtually
async def test_who_may_decide_may_not_edit_what_is_anothers() -> None:
    """C95: The refusal names the field and who may; nothing is decided."""
    lab = narrowed()
    await lab.start()

    with pytest.raises(RequestRefused) as caught:
        await say(lab, ANN, edits={"note": 2, "iban": "DE2"})
    assert caught.value.code == "NotYoursToEdit"
    assert caught.value.detail == {"key": "iban", "may_edit": ["group:finance"]}
    assert "edits.iban: only group:finance may edit it" in caught.value.message
    await say(lab, ANN, edits={"note": 2, "iban": "DE1"})
    assert await ended(lab) == ("completed", 1)


@virtually
async def test_who_is_named_may_and_so_may_their_stand_in() -> None:
    lab = narrowed({"rule": {"at_least": 2}})
    await lab.start()

    assert await refused(lab, DAN, edits={"iban": "DE2"}) == "NotYoursToEdit"
    await say(lab, replace(DAN, stands_for=(BOB,)), edits={"iban": "DE2"})
    assert await refused(lab, ANN, edits={"iban": "DE1"}) == "NotYoursToEdit"
    await say(lab, ANN, edits={"iban": "DE2"})

    assert await ended(lab) == ("completed", 1)
    assert (await lab.runner.settled("r")).memory["iban"] == "DE2"


@virtually
async def test_a_stand_in_of_who_may_not_decide_edits_nothing_for_them() -> None:
    """C97: Whom four eyes keep out has no hand in it, their stand-in's neither."""
    lab = narrowed({"four_eyes": ["starter"]})
    await lab.start(started_by="bob")

    for_bob = replace(DAN, stands_for=(BOB,))
    assert await refused(lab, for_bob, edits={"iban": "DE2"}) == "NotYoursToEdit"


@virtually
async def test_the_command_line_edits_anything() -> None:
    lab = narrowed()
    await lab.start()
    await say(lab, CLI, edits={"iban": "DE2"})
    assert await ended(lab) == ("completed", 1)


@virtually
async def test_an_approval_that_narrows_nothing_asks_as_before() -> None:
    lab = asking({}, ANN)
    await lab.start()
    assert "editable_by" not in item(lab).request


def problems_of(**config: Any) -> set[tuple[str, str]]:
    document = line(node("a", "approval", config=config), initial_memory=BOTH)
    codes = ("NotEditable", "NobodyMayEdit", "InvalidValue", "MissingField")
    return {(code, path) for code, path in found(document, members=[ANN, BOB]) if code in codes}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"editable_keys": ["note"], "editable_by": {"note": ["group:finance"]}}, set()),
        ({"editable_keys": ["*"], "editable_by": {"note": ["user:ann"]}}, set()),
        (
            {"editable_keys": ["note"], "editable_by": {"iban": ["role:reviewer"]}},
            {("NotEditable", "nodes[0].config.editable_by.iban")},
        ),
        (
            {"editable_keys": ["note"], "editable_by": {"note": ["group:finanse"]}},
            {("NobodyMayEdit", "nodes[0].config.editable_by.note[0]")},
        ),
        (
            {"editable_keys": ["note"], "editable_by": {"note": ["=memory.who"]}},
            {("InvalidValue", "nodes[0].config.editable_by.note[0]")},
        ),
        (
            {"editable_keys": ["note"], "editable_by": {"note": []}},
            {("InvalidValue", "nodes[0].config.editable_by.note")},
        ),
    ],
)
def test_what_cannot_be_edited_so_is_found_while_drawing(
    config: dict[str, Any], expected: set[tuple[str, str]]
) -> None:
    assert problems_of(**config) == expected
