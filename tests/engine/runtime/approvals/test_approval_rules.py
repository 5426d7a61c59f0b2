"""Approvals that need several people: who counts, for what content, and when it closes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.state.requests import CLI, Actor, Answer
from engine.core.state.run_state import OpenInterrupt
from tests.engine.lab import Lab, document
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def person(name: str, *groups: str, role: str = "reviewer") -> Actor:
    return Actor(name, name.title(), roles=frozenset({role}), groups=frozenset(groups))


ANN, BOB, CAT = person("ann", "legal"), person("bob", "finance"), person("cat", "legal", "finance")
DAN, EVE = person("dan"), person("eve", role="author")


class People:
    """A directory whose people come and go."""

    def __init__(self, *people: Actor) -> None:
        self.people: Sequence[Actor] = people

    async def members(self, workspace_id: str | None) -> Sequence[Actor]:
        return self.people


def asking(
    policy: dict[str, Any], *people: Actor, initial: dict[str, Any] | None = None, **config: Any
) -> Lab:
    """A mail below an approval of `note` under a policy."""
    review = {"review_keys": ["note"], "editable_keys": ["note"], "policy": policy, **config}
    mail = {"tool_id": "mail", "arguments": {"order": "m"}}
    nodes = [
        {"id": "ok", "type": "approval", "write_keys": ["note"], "config": review},
        {"id": "mail", "type": "tool", "config": mail},
    ]
    lab = Lab(document(nodes, "__start__ > ok", "ok > mail", initial_memory=initial or {"note": 1}))
    lab.runner.services.directory = People(*people) if people else None
    return lab


async def say(lab: Lab, actor: Actor, decision: str = "approved", **more: Any) -> dict[str, Any]:
    """Decide on what is shown now; return the record."""
    opened = item(lab)
    answer = Answer(lab.runner.token(opened.request_id), opened.content_hash, decision, **more)
    return await lab.runner.answer(opened.request_id, answer, actor)


async def refused(lab: Lab, actor: Actor, decision: str = "approved", **more: Any) -> str:
    with pytest.raises(RequestRefused) as caught:
        await say(lab, actor, decision, **more)
    return caught.value.code


async def test_who_names_the_run_of_a_request_asks_the_store_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lab = asking({})
    await lab.start()
    opened = item(lab)
    click = Answer(lab.runner.token(opened.request_id), opened.content_hash, "approved")
    monkeypatch.delattr(type(lab.store), "run_of_request")

    record = await lab.runner.answer(opened.request_id, click, ANN, run_id="r")

    assert (record["run_id"], record["decision"]) == ("r", "approved")


async def test_a_request_of_another_run_is_not_found() -> None:
    lab = asking({})
    await lab.start()
    click = Answer(lab.runner.token("another"), None, "approved")

    with pytest.raises(RequestRefused) as caught:
        await lab.runner.answer("another", click, ANN, run_id="r")

    assert caught.value.code == "InterruptNotFound"


def item(lab: Lab) -> OpenInterrupt:
    state = lab.store.peek("r")
    assert state is not None
    [opened] = state.interrupts.values()
    return opened


async def ended(lab: Lab) -> tuple[str, int]:
    """Return how the run ended, and how many mails were sent."""
    state = await lab.runner.settled("r")
    return state.status, lab.world.executed["m"]


@virtually
async def test_two_of_three_must_approve() -> None:
    """C96: With `at_least: 2` the first approval leaves it open, the second closes it."""
    lab = asking({"rule": {"at_least": 2}}, ANN, BOB, CAT)
    await lab.start()

    first = await say(lab, ANN, comment="fine")
    assert (first["outcome"], list(first["decisions"])) == ("open", ["ann"])
    assert (await ended(lab)) == ("waiting", 0)
    second = await say(lab, BOB)
    assert (second["outcome"], second["decision"]) == ("answered", "approved")
    assert (await ended(lab)) == ("completed", 1)
    state = await lab.runner.settled("r")
    kept = state.outputs["ok"]["decisions"]
    assert [(one["by"], one["decision"], one["comment"]) for one in kept] == [
        ("ann", "approved", "fine"),
        ("bob", "approved", None),
    ]


@virtually
async def test_one_person_counts_once() -> None:
    """I7: The same click twice is one approval and gets the same answer."""
    lab = asking({"rule": {"at_least": 2}}, ANN, BOB, CAT)
    await lab.start()

    both = await asyncio.gather(say(lab, ANN), say(lab, ANN))
    assert both[0] == both[1]
    assert len(lab.events("DecisionRecorded")) == 1
    assert (await ended(lab))[0] == "waiting"


@virtually
async def test_two_at_once_both_count_and_a_third_hears_it_is_decided() -> None:
    """I7: Of three clicks at once on two places two count and one is told."""
    lab = asking({"rule": {"at_least": 2}}, ANN, BOB, CAT)
    await lab.start()
    request_id = lab.open_request()
    click = Answer(lab.runner.token(request_id), item(lab).content_hash, "approved")
    said = await asyncio.gather(
        *(lab.runner.answer(request_id, click, who) for who in (ANN, BOB, CAT)),
        return_exceptions=True,
    )

    told = [s for s in said if isinstance(s, RequestRefused)]
    assert [t.code for t in told] == ["AlreadyDecided"]
    assert told[0].detail["decided"]["decision"] == "approved"
    assert len(lab.events("DecisionRecorded")) == 2
    assert (await ended(lab)) == ("completed", 1)
    counted = {e.data["by"] for e in lab.events("DecisionRecorded")}
    for who in (ANN, BOB, CAT):
        if who.id in counted:
            assert (await lab.runner.answer(request_id, click, who))["decision"] == "approved"


@virtually
async def test_everyone_must_approve() -> None:
    """C96: `all` asks those who were eligible when it was opened, without the starter."""
    lab = asking({"rule": "all", "four_eyes": ["starter"]}, ANN, BOB, CAT, EVE)
    await lab.start(started_by="cat")

    assert item(lab).seats == ("user:ann", "user:bob")
    await say(lab, ANN)
    lab.runner.services.directory = People(ANN, BOB, CAT, DAN)
    assert await refused(lab, DAN) == "NotEligible"
    assert await refused(lab, CAT) == "NotEligible"
    await say(lab, BOB)
    assert (await ended(lab)) == ("completed", 1)


@virtually
async def test_each_group_must_approve() -> None:
    """C96: `per_group` needs someone of each; who stands in both speaks for one."""
    policy = {"rule": "per_group", "eligible": ["group:legal", "group:finance"]}
    lab = asking(policy, ANN, BOB, CAT, DAN)
    await lab.start()

    assert await refused(lab, DAN) == "NotEligible"
    await say(lab, CAT)
    assert (await ended(lab))[0] == "waiting"
    await say(lab, BOB)
    assert (await ended(lab)) == ("completed", 1)


@virtually
async def test_who_is_asked_is_computed_when_it_is_asked() -> None:
    """C92: An expression in the policy is fixed at the opening, later writes change nobody."""
    policy = {"rule": "all", "eligible": ["=memory.note == 1 ? ['user:ann', 'user:bob'] : []"]}
    lab = asking(policy)
    await lab.start()

    assert item(lab).eligible == ("user:ann", "user:bob")
    assert item(lab).seats == ("user:ann", "user:bob")


@pytest.mark.parametrize(
    ("policy", "rejections", "closed"),
    [
        ({"rule": {"at_least": 2}}, 1, False),
        ({"rule": {"at_least": 2}}, 2, True),
        ({"rule": {"at_least": 2}, "veto": True}, 1, True),
        ({"rule": {"at_least": 3}}, 1, True),
        ({"rule": "all"}, 1, True),
        ({"rule": "any"}, 1, True),
        ({"rule": "per_group", "eligible": ["group:legal", "group:finance"]}, 1, False),
        ({"rule": "per_group", "eligible": ["group:legal", "group:finance"]}, 2, True),
    ],
)
def test_a_rejection_closes_when_approval_is_out_of_reach(
    policy: dict[str, Any], rejections: int, closed: bool
) -> None:
    """C94: A veto closes at once, else what nobody could approve any more."""

    @virtually
    async def play() -> None:
        lab = asking(policy, ANN, BOB, CAT)
        await lab.start()
        for who in (ANN, CAT)[:rejections]:
            await say(lab, who, "rejected", comment="no")

        assert (await ended(lab)) == ("failed" if closed else "waiting", 0)
        if not closed:
            await say(lab, BOB)
            await say(lab, CAT)
            assert (await ended(lab)) == ("completed", 1)

    play()


@virtually
async def test_a_rejection_closes_where_nobody_knows_who_else_could_approve() -> None:
    """C94: Without a directory nothing proves that approval can still be reached."""
    lab = asking({"rule": {"at_least": 2}})
    await lab.start()
    await say(lab, ANN, "rejected")

    assert (await ended(lab)) == ("failed", 0)


@virtually
async def test_an_approval_can_be_taken_back_and_a_rejection_stands() -> None:
    """C96: A changed mind may stop what was approved, and never the other way round."""
    lab = asking({"rule": {"at_least": 2}}, ANN, BOB, CAT)
    await lab.start()
    await say(lab, ANN)
    await say(lab, ANN, "rejected")

    assert await refused(lab, ANN) == "AlreadyDecided"
    await say(lab, BOB)
    assert (await ended(lab))[0] == "waiting"
    assert {k: v["decision"] for k, v in item(lab).decisions.items()} == {
        "ann": "rejected",
        "bob": "approved",
    }


@virtually
async def test_an_edit_voids_what_others_said_about_other_content() -> None:
    """C95: Who approved before an edit has to look again; what runs is what all approved."""
    lab = asking({"rule": {"at_least": 2}}, ANN, BOB, CAT)
    await lab.start()
    before = item(lab).content_hash
    await say(lab, ANN)
    await say(lab, BOB, edits={"note": 7})

    assert [e.data["reason"] for e in lab.events("DecisionDropped")] == ["content_changed"]
    assert list(item(lab).decisions) == ["bob"]
    assert item(lab).content_hash != before
    stale = Answer(lab.runner.token(lab.open_request()), before, "approved")
    blind = Answer(lab.runner.token(lab.open_request()), decision="approved")
    for answer in (stale, blind):
        with pytest.raises(RequestRefused, match="changed"):
            await lab.runner.answer(lab.open_request(), answer, ANN)
    await say(lab, ANN)
    assert (await ended(lab)) == ("completed", 1)
    state = await lab.runner.settled("r")
    assert state.memory["note"] == 7
    assert state.outputs["ok"]["edits"] == {"note": 7}


@virtually
async def test_an_edit_back_to_what_was_shown_is_none() -> None:
    """C95: Putting the old value back is the old content again."""
    lab = asking({"rule": {"at_least": 3}}, ANN, BOB, CAT)
    await lab.start()
    first = item(lab).content_hash
    await say(lab, ANN, edits={"note": 7})
    await say(lab, BOB, edits={"note": 1})

    assert item(lab).content_hash == first
    assert (dict(item(lab).edits), list(item(lab).decisions)) == ({}, ["bob"])


@virtually
async def test_who_lost_the_right_counts_no_more() -> None:
    """C96: Approvals of people who are no longer eligible are dropped before the rule is met."""
    lab = asking({"rule": {"at_least": 2}}, ANN, BOB, CAT)
    await lab.start()
    await say(lab, ANN)
    lab.runner.services.directory = People(BOB, CAT, person("ann", role="viewer"))
    await say(lab, BOB)

    assert [(e.data["by"], e.data["reason"]) for e in lab.events("DecisionDropped")] == [
        ("ann", "not_eligible")
    ]
    assert (await ended(lab))[0] == "waiting"
    await say(lab, CAT)
    assert (await ended(lab)) == ("completed", 1)


@virtually
async def test_partial_approvals_survive_a_crash() -> None:
    """I7: What one person said counts after a restart."""
    lab = asking({"rule": {"at_least": 2}}, ANN, BOB)
    await lab.start()
    await say(lab, ANN)
    await lab.crash()
    await say(lab, BOB)

    assert (await ended(lab)) == ("completed", 1)


@virtually
async def test_content_that_changes_beside_it_opens_it_anew_without_approvals() -> None:
    """C96: An approval counts only for what was shown: a new request begins with nobody."""
    lab = asking({"rule": {"at_least": 2}}, ANN, BOB)
    await lab.start()
    await say(lab, ANN)

    def write(tx: Any) -> None:
        tx.state.memory["note"] = 2

    await lab.runner.step("r", None, write, flush=True)
    await lab.runner.settled("r")
    assert dict(item(lab).decisions) == {}
    assert item(lab).request["data"] == {"note": 2}


@virtually
async def test_the_command_line_fills_one_place_a_decision() -> None:
    """C96: `cli` stands in for anybody, once for each decision."""
    policy = {"rule": "per_group", "eligible": ["group:legal", "group:finance"]}
    lab = asking(policy, ANN)
    await lab.start()
    await say(lab, CLI)
    assert list(item(lab).decisions) == ["cli"]
    await say(lab, CLI)

    assert (await ended(lab)) == ("completed", 1)
    assert [e.data["by"] for e in lab.events("DecisionRecorded")] == ["cli", "cli:2"]
