"""What the inbox says about an approval that needs several people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from builder.models import Asked, Decision, Interrupt, Lapse, Membership, Run, RunEvent
from builder.services.people import accounts
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.conftest import Api, People
from tests.builder.fakes import NOW, append, open_interrupt

TWO = {"rule": "at_least", "seats": ["*", "*"]}


def asked(run: Run, policy: Mapping[str, Any], **opened: Any) -> Interrupt:
    """Open an approval as the engine does: with what it fixed about whom it asks."""
    row = open_interrupt(run, policy=policy)
    request = {"prompt": "Send it?", "data": {"draft": "Hello"}, "policy": dict(policy)}
    event = append(run, "InterruptOpened", key=row.key, request=request, **opened)
    Interrupt.objects.filter(pk=row.pk).update(opened_seq=event.seq)
    for entry in opened.get("eligible", ()):
        Asked.objects.create(interrupt=row, principal=entry)
    row.refresh_from_db()
    return row


def said(
    run: Run,
    row: Interrupt,
    who: Membership,
    decision: str = "approved",
    fills: Sequence[int] | None = None,
    **more: Any,
) -> None:
    """Record what somebody said."""
    by = who.user_id
    event = append(
        run, "DecisionRecorded", key=row.key, by=by, decision=decision, fills=fills, **more
    )
    Decision.objects.create(
        interrupt=row, decided_by=by, decision=decision, decided_at=NOW, seq=event.seq
    )
    if "edits" in more:
        Interrupt.objects.filter(pk=row.pk).update(edited_seq=event.seq)


def shown(who: Membership, row: Interrupt) -> dict[str, Any]:
    found: dict[str, Any] = Api(who).get(f"interrupts/{row.pk}/").json()
    return found


def test_the_quorum_so_far_and_who_else_can_decide(people: People, run: Run) -> None:
    """C96: Who decided and when, how many are missing, and who could."""
    row = asked(run, {"rule": {"at_least": 2}}, quorum=TWO)
    said(run, row, people.bob, comment="fine")
    item = shown(people.oscar, row)

    assert item["quorum"] == {
        "rule": "at_least",
        "needed": 2,
        "remaining": 1,
        "missing": [],
        "approvals": [
            {
                "by": {"id": people.bob.user_id, "name": "Bob"},
                "at": item["quorum"]["approvals"][0]["at"],
                "decision": "approved",
                "comment": "fine",
            }
        ],
        "reachable": True,
        "no_ends_it": False,
    }
    assert [one["name"] for one in item["eligible"]] == ["Olga"]
    assert item["eligible_count"] == 1
    assert item["can_decide"]
    assert item["my_decision"] is None
    assert shown(people.bob, row)["my_decision"] == "approved"


def test_why_an_item_is_ones_own_is_said_by_who_is_asked(people: People, run: Run) -> None:
    bob = f"user:{people.bob.user_id}"
    for eligible, said_why in (
        (None, "It names nobody: it asks everybody here who may decide."),
        ([bob], "It asks you by name."),
        (["role:reviewer"], "It asks everybody with the role reviewer."),
    ):
        opened = {} if eligible is None else {"eligible": eligible}
        row = asked(run, {"rule": "any", **opened}, **opened)
        assert shown(people.bob, row)["why_me"] == said_why


def test_what_is_missing_is_named(people: People, run: Run) -> None:
    """C96: `per_group` names the groups that are missing, `all` the people."""
    accounts.change_member(people.olga, people.bob, role=None, groups=["legal"])
    accounts.change_member(people.olga, people.oscar, role=None, groups=["finance"])
    groups = ["group:legal", "group:finance"]
    row = asked(
        run,
        {"rule": "per_group", "eligible": groups},
        eligible=groups,
        quorum={"rule": "per_group", "seats": groups},
    )
    said(run, row, people.bob, fills=[0])
    names = [f"user:{one.user_id}" for one in (people.bob, people.oscar)]
    everyone = asked(run, {"rule": "all"}, quorum={"rule": "all", "seats": names})

    assert shown(people.oscar, row)["quorum"]["missing"] == ["finance"]
    assert shown(people.oscar, row)["why_me"] == "You are in the group finance."
    assert shown(people.oscar, everyone)["quorum"]["missing"] == ["Bob", "Oscar"]
    assert not shown(people.olga, everyone)["can_decide"]
    assert "there when it was opened" in shown(people.olga, everyone)["why_not"]


def test_an_approval_that_cannot_be_reached_says_so(people: People, run: Run) -> None:
    """C192: Too few people is a state that can be seen, not only a warning while drawing."""
    row = asked(run, {"rule": {"at_least": 5}}, quorum={"rule": "at_least", "seats": ["*"] * 5})
    nobody = asked(run, {"eligible": ["group:sales"]}, eligible=["group:sales"])
    fine = asked(run, {})

    assert shown(people.bob, row)["quorum"]["reachable"] is False
    assert shown(people.bob, nobody)["quorum"]["reachable"] is False
    assert shown(people.bob, fine)["quorum"]["reachable"] is True


def test_whether_a_rejection_would_end_it_is_told_before(people: People, run: Run) -> None:
    """C96: Of two approvals that three people may give, one no leaves both to the others."""
    one = asked(run, {})
    two = asked(run, {"rule": {"at_least": 2}}, quorum=TWO)
    veto = asked(run, {"rule": {"at_least": 2}, "veto": True}, quorum=TWO)

    def ends(row: Interrupt) -> bool:
        return bool(shown(people.bob, row)["quorum"]["no_ends_it"])

    assert (ends(one), ends(two), ends(veto)) == (True, False, True)
    said(run, two, people.bob)
    assert not ends(two)
    said(run, two, people.olga, decision="rejected")
    assert ends(two)


def test_what_an_approver_edited_is_what_the_next_one_sees(people: People, run: Run) -> None:
    """C95: The data shown is the edited content, with who edited it."""
    row = asked(run, {"rule": {"at_least": 2}}, quorum=TWO)
    said(run, row, people.bob, edits={"draft": "Better"}, content_hash="e" * 64)
    item = shown(people.oscar, row)

    assert item["request"]["data"] == {"draft": "Better"}
    assert item["edited_by"]["name"] == "Bob"


def test_a_rejection_stands(people: People, run: Run) -> None:
    """C96: Who rejected cannot approve later, and is told why."""
    row = asked(run, {"rule": {"at_least": 2}}, quorum=TWO)
    said(run, row, people.bob, decision="rejected")
    item = shown(people.bob, row)

    assert (item["can_decide"], item["my_decision"]) == (False, "rejected")
    assert item["why_not"] == "you rejected it, and a rejection stands"
    assert [one["name"] for one in shown(people.oscar, row)["eligible"]] == ["Olga"]


def test_reminders_and_escalation_are_shown(people: People, run: Run) -> None:
    """C93: When people were reminded, when they will be, and whom it was passed on to."""
    policy = {"eligible": ["user:bob@example.com"], "reminders": [1_000, 60_000]}
    row = asked(run, policy, eligible=["user:bob@example.com"])
    before = shown(people.bob, row)
    event = append(run, "InterruptEscalated", key=row.key, to=["role:admin"])
    Interrupt.objects.filter(pk=row.pk).update(reminded_at=NOW + 1_000, escalated_seq=event.seq)
    after, boss = shown(people.bob, row), shown(people.olga, row)

    assert (before["reminded_at"], before["escalated"]) == (None, None)
    assert before["next_reminder_at"] < after["next_reminder_at"]
    assert after["reminded_at"]
    assert after["escalated"] == ["any admin"]
    assert boss["can_decide"]
    assert boss["why_me"] == "It was passed on to you, because it was not decided in time."


@pytest.mark.parametrize(
    ("entries", "mine", "groups"),
    [
        (["user:bob@example.com"], True, False),
        (["group:legal"], False, True),
        (["role:reviewer"], False, True),
        (["group:legal", "user:bob@example.com"], True, False),
        (["group:sales"], False, False),
        ([], False, True),
    ],
)
def test_mine_and_my_groups(
    people: People, run: Run, entries: list[str], mine: bool, groups: bool
) -> None:
    accounts.change_member(people.olga, people.bob, role=None, groups=["legal"])
    more = {"eligible": entries} if entries else {}
    row = asked(run, more, **more)

    def listed(view: str) -> bool:
        found = Api(people.bob).get(f"interrupts/?view={view}").json()["results"]
        return row.pk in [item["request_id"] for item in found]

    assert (listed("mine"), listed("groups")) == (mine, groups)
    said(run, row, people.bob)
    assert (listed("mine"), listed("groups")) == (False, False)


def test_four_eyes_of_publisher_and_editor_are_shown_too(people: People, run: Run) -> None:
    """C96: What the engine will refuse is not offered."""
    row = asked(run, {"four_eyes": ["editor"]})
    data = b'{"people": {"editor": ["%s"]}}' % people.bob.user_id.encode()
    place = (run.number or 0) * EVENTS_PER_RUN + 1
    RunEvent.objects.filter(pk=place).update(data=data)

    why = "you edited this version of the workflow, so somebody else has to decide"
    assert shown(people.bob, row)["why_not"] == why
    assert shown(people.oscar, row)["can_decide"]


PAY = {"prompt": "Pay 77.08?", "data": {"amount": "77.08", "letter": "You get 77.08."}}
TO_LESS = {"key": "amount", "before": "77.08", "after": "12.50"}


def payment(run: Run, **opened: Any) -> Interrupt:
    """Open an approval of a payment, as the engine does."""
    row = open_interrupt(run)
    event = append(run, "InterruptOpened", key=row.key, request=PAY, **opened)
    Interrupt.objects.filter(pk=row.pk).update(opened_seq=event.seq)
    row.refresh_from_db()
    return row


def decided(run: Run, row: Interrupt, who: Membership, **said: Any) -> None:
    """Close it as the engine's store does."""
    event = append(
        run, "InterruptResolved", key=row.key, outcome="answered", by=who.user_id, **said
    )
    Interrupt.objects.filter(pk=row.pk).update(
        status="answered",
        outcome="approved",
        resolved_seq=event.seq,
        decided_by=who.user_id,
        decided_at=NOW,
    )


def test_an_edited_approval_says_what_was_shown_changed_and_run(people: People, run: Run) -> None:
    """C95: One who approves with edits: item, list and `decided` say what ran, and what it was."""
    row = payment(run)
    changes = [{**TO_LESS, "by": people.bob.user_id, "seq": 9}]
    edits = {"amount": "12.50"}
    decided(
        run, row, people.bob, edits=edits, changes=changes, prompt="Pay 12.50?", answer="approved"
    )

    item = shown(people.olga, row)
    listed = Api(people.olga).get("interrupts/?state=done").json()["results"][0]
    bob = {"id": people.bob.user_id, "name": "Bob"}
    for found in (item, listed):
        assert found["request"]["data"] == {"amount": "12.50", "letter": "You get 77.08."}
        assert (found["request"]["prompt"], found["shown_prompt"]) == ("Pay 12.50?", "Pay 77.08?")
        assert found["changes"] == [{**TO_LESS, "added": False, "by": bob}]
        assert (found["edited_by"], found["decided"]["edits"]) == (bob, edits)


def test_nothing_remains_of_an_approval_that_was_given(people: People, run: Run) -> None:
    """C96: What one person approved waits for nobody, also where the log names no place it fills."""
    row = payment(run)
    assert shown(people.olga, row)["quorum"]["remaining"] == 1
    decided(run, row, people.bob, answer="approved")

    quorum = shown(people.olga, row)["quorum"]

    assert (quorum["needed"], quorum["remaining"], quorum["missing"]) == (1, 0, [])


def test_an_edited_approval_of_an_older_log_is_told_as_well(people: People, run: Run) -> None:
    """C95: Logs from before changes were recorded say what can be told: values, and who decided."""
    row = payment(run)
    decided(run, row, people.bob, edits={"amount": "12.50"}, answer="approved")

    item = shown(people.olga, row)

    assert item["request"]["data"]["amount"] == "12.50"
    assert [(one["before"], one["after"]) for one in item["changes"]] == [("77.08", "12.50")]
    assert item["edited_by"]["name"] == "Bob"


def test_who_approved_before_an_edit_is_asked_again_with_what_changed(
    people: People, run: Run
) -> None:
    """C95: Whose approval fell hears it, and sees what changed since; others see no such mark."""
    row = payment(run, quorum=TWO)
    earlier = {"key": "letter", "before": "You get 77.08.", "after": "You get money.", "seq": 2}
    bob, oscar = people.bob.user_id, people.oscar.user_id
    changes = [{**earlier, "by": bob}, {**TO_LESS, "by": oscar, "seq": 5}]
    edits = {"letter": "You get money.", "amount": "12.50"}
    said(
        run, row, people.oscar, edits=edits, changes=changes, prompt="Pay 12.50?", content_hash="h"
    )
    Lapse.objects.create(
        interrupt=row,
        decided_by=bob,
        decision="approved",
        decided_seq=3,
        lapsed_seq=4,
        lapsed_at=NOW,
        reason="content_changed",
    )

    mine, theirs = shown(people.bob, row), shown(people.olga, row)

    assert mine["my_decision"] is None
    assert mine["asked_again"]["decision"] == "approved"
    assert [one["key"] for one in mine["asked_again"]["changes"]] == ["amount"]
    assert [one["key"] for one in mine["changes"]] == ["letter", "amount"]
    assert theirs["asked_again"] is None
    assert theirs["request"]["prompt"] == "Pay 12.50?"
