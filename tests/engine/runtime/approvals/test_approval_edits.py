"""What the log says of an approval that was edited: what was shown, what changed, what ran."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.people.edits import MAX_CHANGES, edited_request
from tests.engine.lab import Lab, document
from tests.engine.runtime.approvals.test_approval_rules import (
    ANN,
    BOB,
    CAT,
    asking,
    ended,
    item,
    refused,
    say,
)
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

MESSAGE = "Pay {{ memory.note }} now?"


def resolved(lab: Lab) -> dict[str, Any]:
    [event] = lab.events("InterruptResolved")
    return event.data


def said(changes: Any) -> list[tuple[Any, ...]]:
    return [(one["key"], one.get("before"), one["after"], one["by"]) for one in changes]


@virtually
async def test_the_decision_says_what_was_changed_and_how_it_then_reads() -> None:
    """C95: One approval with edits: before and after of each key, the message anew, the hash of what ran."""
    lab = asking({}, ANN, prompt_message=MESSAGE)
    await lab.start()
    opened = item(lab)
    await say(lab, ANN, edits={"note": 12.5})

    data = resolved(lab)
    assert opened.request["prompt"] == "Pay 1 now?"
    assert said(data["changes"]) == [("note", 1, 12.5, "ann")]
    assert data["prompt"] == "Pay 12.5 now?"
    assert data["content_hash"] not in (None, opened.content_hash)
    assert await ended(lab) == ("completed", 1)


@virtually
async def test_a_plain_approval_names_what_it_was_for_and_no_change() -> None:
    """C95: Without edits, or with the very values that were shown, nothing is said to be changed."""
    same: list[dict[str, Any]] = [{}, {"edits": {"note": 1}}]
    for more in same:
        lab = asking({}, ANN, prompt_message=MESSAGE)
        await lab.start()
        shown = item(lab).content_hash
        await say(lab, ANN, **more)

        assert resolved(lab)["content_hash"] == shown
        assert "changes" not in resolved(lab)


@virtually
async def test_every_approver_reads_what_the_one_before_made_of_it() -> None:
    """C95: The request follows the edits: data, message, and who changed what, in order."""
    lab = asking({"rule": {"at_least": 2}}, ANN, BOB, CAT, prompt_message=MESSAGE)
    await lab.start()
    await say(lab, ANN)
    await say(lab, BOB, edits={"note": 12})

    request = edited_request(item(lab))
    assert (request["prompt"], request["data"]["note"]) == ("Pay 12 now?", 12)
    assert said(item(lab).changes) == [("note", 1, 12, "bob")]
    dropped, recorded = lab.events("DecisionDropped")[0], lab.events("DecisionRecorded")[-1]
    assert dropped.data["decided"] < recorded.seq == item(lab).changes[0]["seq"]

    await say(lab, ANN, edits={"note": 11})
    await say(lab, BOB)
    assert said(resolved(lab)["changes"]) == [("note", 1, 12, "bob"), ("note", 12, 11, "ann")]
    assert (resolved(lab)["prompt"], resolved(lab)["edits"]) == ("Pay 11 now?", {"note": 11})
    assert (await ended(lab)) == ("completed", 1)
    assert (await lab.runner.settled("r")).memory["note"] == 11


@virtually
async def test_each_decision_says_which_content_it_was_about() -> None:
    """I14: Also one without edits after others' edits, and one that fell because of them."""
    lab = asking({"rule": {"at_least": 3}}, ANN, BOB, CAT, prompt_message=MESSAGE)
    await lab.start()
    first = item(lab).content_hash
    await say(lab, ANN)
    await say(lab, BOB, edits={"note": 12})
    second = item(lab).content_hash
    await say(lab, ANN)
    await say(lab, CAT, edits={"note": 11})
    third = item(lab).content_hash

    assert len({first, second, third}) == 3
    recorded = [event.data["content_hash"] for event in lab.events("DecisionRecorded")]
    assert recorded == [first, second, second, third]
    fell = {e.data["decided"]: e.data["content_hash"] for e in lab.events("DecisionDropped")}
    said_of = {e.seq: e.data["content_hash"] for e in lab.events("DecisionRecorded")}
    assert len(fell) == 3
    assert fell == {seq: said_of[seq] for seq in fell}


@virtually
async def test_an_edit_that_the_message_cannot_be_written_with_is_refused() -> None:
    """C95: What nobody could read is not recorded; the item stays open as it was."""
    lab = asking({}, ANN, prompt_message="{{ memory.note.sum }}", initial={"note": {"sum": 1}})
    await lab.start()

    assert await refused(lab, ANN, edits={"note": {}}) == "AnswerInvalid"
    assert item(lab).request["prompt"] == "1"
    await say(lab, ANN, edits={"note": {"sum": 2}})
    assert resolved(lab)["prompt"] == "2"


@virtually
async def test_the_edits_of_one_key_are_kept_in_bounds() -> None:
    """C95: Two people who change a key for ever do not make the log grow with the square of it."""
    lab = asking({"rule": {"at_least": 3}}, ANN, BOB, CAT, prompt_message=MESSAGE)
    await lab.start()
    for number in range(2, 40):
        await say(lab, (ANN, BOB)[number % 2], edits={"note": number})

    changes = item(lab).changes
    assert len(changes) == MAX_CHANGES
    assert (changes[0]["before"], changes[-1]["after"]) == (1, 39)
    assert all(
        one["after"] == two["before"] for one, two in zip(changes, changes[1:], strict=False)
    )


@virtually
async def test_what_was_changed_survives_a_crash() -> None:
    """C95: Another process reads the same changes and the same message from the log."""
    lab = asking({"rule": {"at_least": 2}}, ANN, BOB, prompt_message=MESSAGE)
    await lab.start()
    await say(lab, BOB, edits={"note": 12})
    before = item(lab)

    after = next(iter((await lab.store.state("r")).interrupts.values()))

    assert (after.changes, after.prompt) == (before.changes, before.prompt)


@virtually
async def test_nobody_edits_what_is_not_theirs_to_edit() -> None:
    """The refusals of edits stay: no other key, no rejection with edits."""
    lab = asking({}, ANN)
    await lab.start()

    assert await refused(lab, ANN, edits={"other": 1}) == "AnswerInvalid"
    with pytest.raises(RequestRefused):
        await say(lab, ANN, "rejected", edits={"note": 2})


@virtually
async def test_a_reference_is_never_taken_for_the_value() -> None:
    """C95: What stands for a large value would take its place: refused, wherever it is in an edit."""
    lab = asking({}, ANN)
    await lab.start()
    reference = {"$blob": "a" * 64, "bytes": 105_000}

    for note, place in (
        (reference, "edits.note"),
        (json.dumps(reference), "edits.note"),
        ({"rows": [1, {"text": reference}]}, "edits.note.rows.1.text"),
    ):
        with pytest.raises(RequestRefused) as caught:
            await say(lab, ANN, edits={"note": note})
        assert caught.value.code == "ReferenceInEdits"
        assert caught.value.detail == {"key": "note", "place": place}
        assert "send the whole value" in caught.value.message
    deep: dict[str, object] = {"long" * 100_000: [reference]}
    for _ in range(60):
        deep = {"in": deep}
    with pytest.raises(RequestRefused) as caught:
        await say(lab, ANN, edits={"note": deep})
    assert caught.value.detail["key"] == "note"
    assert len(caught.value.detail["place"]) < 3_000
    await say(lab, ANN, edits={"note": "the word $blob is one like any other"})
    assert resolved(lab)["decision"] == "approved"


@virtually
async def test_an_edit_has_the_format_of_its_key() -> None:
    """C95: What the schema calls a date is one; the item stays open."""
    config = {"review_keys": ["note"], "editable_keys": ["note"]}
    node = {"id": "ok", "type": "approval", "config": config}
    schema = {"type": "object", "properties": {"note": {"type": "string", "format": "date"}}}
    lab = Lab(
        document([node], "__start__ > ok", state_schema=schema, initial_memory={"note": "soon"})
    )
    await lab.start()

    assert await refused(lab, ANN, edits={"note": "tomorrow"}) == "AnswerInvalid"
    with pytest.raises(RequestRefused) as caught:
        await say(lab, ANN, edits={"note": "long " * 10_000})
    assert len(str(caught.value)) < 300
    await say(lab, ANN, edits={"note": "2026-12-01"})
    assert resolved(lab)["edits"] == {"note": "2026-12-01"}
