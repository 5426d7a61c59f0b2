"""Standing in for who is away: whose seat it is, four eyes for both, one person one seat, no chains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.core.people.eligibility import Asking
from engine.core.people.supposed import supposed
from engine.core.state.requests import Actor
from tests.engine.runtime.approvals.test_approval_rules import (
    ANN,
    BOB,
    CAT,
    DAN,
    EVE,
    asking,
    ended,
    item,
    refused,
    say,
)
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

FINANCE = {"eligible": ["group:finance"]}
TWO = {"rule": {"at_least": 2}}


def for_(actor: Actor, *absent: Actor) -> Actor:
    return replace(actor, stands_for=absent)


DAN_FOR_BOB = for_(DAN, BOB)


@virtually
async def test_a_stand_in_decides_and_the_record_says_for_whom() -> None:
    """C96: Who is away is not asked in vain; the answer and the node's output name both."""
    lab = asking(FINANCE, DAN, BOB)
    await lab.start()

    assert await refused(lab, DAN) == "NotEligible"
    record = await say(lab, DAN_FOR_BOB)

    assert (record["by"], record["stands_for"]) == ("dan", "bob")
    assert await ended(lab) == ("completed", 1)
    state = await lab.runner.settled("r")
    assert (state.outputs["ok"]["decided_by"], state.outputs["ok"]["decided_for"]) == ("dan", "bob")


@virtually
async def test_who_may_in_their_own_right_decides_for_themselves_unless_they_say_otherwise() -> (
    None
):
    lab = asking({}, DAN_FOR_BOB, BOB)
    await lab.start()

    assert await refused(lab, DAN_FOR_BOB, stands_for="cat") == "NotEligible"
    record = await say(lab, DAN_FOR_BOB)

    assert "stands_for" not in record


def test_nobodys_place_passes_on() -> None:
    """A stand-in of a stand-in gets nothing."""
    asked = Asking("approval", ["group:finance"])

    assert asked.why_not(for_(CAT, DAN_FOR_BOB)) is None, "Cat is in finance herself"
    assert asked.why_not(for_(ANN, DAN_FOR_BOB)) == "the approval names other people"


def test_a_place_gives_no_role() -> None:
    asked = Asking("approval", ["group:finance"])

    assert asked.why_not(for_(EVE, BOB)) is not None
    assert [one.id for one in Asking("text").as_whom(for_(EVE, BOB))] == ["eve", "bob"]


@pytest.mark.parametrize("starter", ["dan", "bob"])
def test_four_eyes_hold_for_both(starter: str) -> None:
    """C97: Neither may the starter decide as a stand-in, nor anybody in the starter's place."""
    asked = Asking("approval", ["group:finance"], excluded={"starter": {starter}})

    assert "started this run, so somebody else has to decide" in str(asked.why_not(DAN_FOR_BOB))


def test_an_own_right_stays_where_the_absent_one_is_kept_out() -> None:
    asked = Asking("approval", None, excluded={"starter": {"bob"}})

    assert [one.id for one in asked.as_whom(DAN_FOR_BOB)] == ["dan"]


@virtually
async def test_one_person_has_one_seat_whichever_place_they_take() -> None:
    """I7: Deciding for oneself and for another counts once: the last word says in whose place."""
    lab = asking(TWO, ANN, BOB, DAN_FOR_BOB)
    await lab.start()

    await say(lab, DAN_FOR_BOB)
    await say(lab, DAN_FOR_BOB, stands_for="bob")
    again = await say(lab, DAN_FOR_BOB, stands_for="bob")

    assert again["outcome"] == "open"
    assert [(by, one.get("stands_for")) for by, one in again["decisions"].items()] == [
        ("dan", "bob")
    ]
    assert len(lab.events("DecisionRecorded")) == 2
    assert await refused(lab, BOB) == "NotEligible", "his place was taken"
    assert (await say(lab, ANN))["decision"] == "approved"


@virtually
async def test_a_place_counts_once_when_its_person_has_decided() -> None:
    policy = {**TWO, **FINANCE}
    lab = asking(policy, BOB, CAT, DAN_FOR_BOB)
    await lab.start()

    await say(lab, BOB)

    assert await refused(lab, DAN_FOR_BOB) == "NotEligible"
    assert await ended(lab) == ("waiting", 0)


@virtually
async def test_a_stand_in_fills_the_seat_of_the_absent_one() -> None:
    lab = asking({"rule": "all", "eligible": ["user:ann", "user:bob"]}, ANN, BOB, DAN_FOR_BOB)
    await lab.start()
    assert item(lab).seats == ("user:ann", "user:bob")

    await say(lab, DAN_FOR_BOB)
    done = await say(lab, ANN)

    assert done["decision"] == "approved"
    assert await ended(lab) == ("completed", 1)


@virtually
async def test_all_is_not_met_by_one_person_in_two_places() -> None:
    lab = asking({"rule": "all", "eligible": ["user:ann", "user:bob"]}, for_(ANN, BOB), BOB)
    await lab.start()

    await say(lab, for_(ANN, BOB))
    await say(lab, for_(ANN, BOB), stands_for="bob")

    assert await ended(lab) == ("waiting", 0)


@virtually
async def test_what_was_decided_in_time_outlasts_the_absence() -> None:
    """A decision stands when who was away is back; not when they lost their right, or left."""
    kept = asking(TWO, ANN, BOB, DAN)
    await kept.start()
    await say(kept, DAN_FOR_BOB, stands_for="bob")
    await say(kept, ANN)
    assert await ended(kept) == ("completed", 1)

    gone = asking(TWO, ANN, DAN)
    await gone.start()
    await say(gone, DAN_FOR_BOB, stands_for="bob")
    assert (await say(gone, ANN))["outcome"] == "open"
    assert [e.data["by"] for e in gone.events("DecisionDropped")] == ["dan"]


@virtually
async def test_a_stand_in_makes_nothing_reachable_that_was_not() -> None:
    """Two of finance, one has rejected: the other's place counts once, whoever takes it."""
    lab = asking({**TWO, **FINANCE}, BOB, CAT, DAN_FOR_BOB)
    await lab.start()

    await say(lab, CAT, "rejected")

    state = await lab.runner.settled("r")
    assert state.status == "failed"


def test_supposed_people_count_once() -> None:
    policy: dict[str, Any] = {**TWO, **FINANCE}
    found = supposed(policy, {}, [BOB, DAN_FOR_BOB])

    assert [one.id for one in found.can] == ["bob", "dan"]
    assert found.met is False
