"""Rows C.9: approvals by several people, from the command line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import Outcome, approval, doc, fn, run

END: dict[str, Any] = {"functions": {"end": {"returns": {}}}}
YES: dict[str, Any] = {"decision": "approved"}
NO: dict[str, Any] = {"decision": "rejected"}
TWO = {"at_least": 2}
THREE_NAMED = ["user:ann", "user:bob", "user:cat"]
GROUPS = ["group:legal", "group:finance"]


def decided(policy: dict[str, Any], *decisions: dict[str, Any], **config: Any) -> Outcome:
    nodes = [approval("review", policy=policy, **config), fn("ok", "end")]
    graph = doc(nodes, initial_memory={"draft": "d"})
    return run(graph, END, {"review": list(decisions)})


@pytest.mark.parametrize(
    ("policy", "needed"),
    [
        ({"rule": TWO}, 2),
        ({"rule": "per_group", "eligible": GROUPS}, 2),
        ({"rule": "all", "eligible": THREE_NAMED}, 3),
        ({"rule": "all", "eligible": GROUPS}, 2),
        ({"rule": {"at_least": 1}}, 1),
    ],
)
def test_each_entry_of_the_list_is_one_persons_decision(
    policy: dict[str, Any], needed: int
) -> None:
    """C96: `--decide` gives one decision after the other; one too few leaves the run waiting."""
    short = decided(policy, *[YES] * (needed - 1))
    enough = decided(policy, *[YES] * needed)

    assert (short.exit, short.status) == (3, "waiting")
    assert (enough.exit, enough.path) == (0, ["review", "ok"])
    assert len(enough.of("DecisionRecorded")) == needed


@pytest.mark.parametrize(
    ("policy", "decisions", "exit"),
    [
        ({"rule": TWO, "veto": True, "eligible": THREE_NAMED}, [YES, NO], 1),
        ({"rule": TWO, "eligible": THREE_NAMED}, [NO, YES, YES], 0),
        ({"rule": TWO, "eligible": THREE_NAMED}, [NO, YES, NO], 1),
        ({"rule": "all", "eligible": THREE_NAMED}, [YES, YES, NO], 1),
        ({"rule": TWO}, [NO], 1),
    ],
)
def test_when_a_rejection_decides(
    policy: dict[str, Any], decisions: list[dict[str, Any]], exit: int
) -> None:
    """C94: A veto at once, else when too few people are left who could approve."""
    assert decided(policy, *decisions).exit == exit


def test_the_report_says_what_is_still_needed() -> None:
    """C96: A run that waits for more people says how many, and who decided so far."""
    waits = decided({"rule": "per_group", "eligible": GROUPS}, {**YES, "comment": "fine"})

    [item] = waits.report["interrupts"]
    assert item["quorum"] == {
        "rule": "per_group",
        "needed": 2,
        "remaining": 1,
        "approvals": [{"by": "cli", "decision": "approved", "comment": "fine"}],
        "missing": ["group:finance"],
    }


def test_one_decision_has_no_quorum_to_show() -> None:
    """C95: The output of an approval by anyone has the five fields and no list of people."""
    done = decided({}, YES)

    assert set(done.outputs["review"]) == {
        "decision",
        "comment",
        "edits",
        "decided_by",
        "decided_at",
    }
    assert done.of("DecisionRecorded") == []


def test_the_last_edit_is_what_all_approve() -> None:
    """C95: An edit begins the count anew, and what runs is the edited content."""
    edit = {**YES, "edits": {"draft": "x"}}
    short = decided({"rule": TWO}, YES, edit, editable_keys=["draft"])
    enough = decided({"rule": TWO}, YES, edit, YES, editable_keys=["draft"])

    assert short.exit == 3
    assert short.report["interrupts"][0]["request"]["data"] == {"draft": "x"}
    assert (enough.exit, enough.memory["draft"]) == (0, "x")


def test_a_reason_and_a_deadline_go_with_several_people() -> None:
    """C93: The deadline counts as rejection, also after some approved; reasons are required."""
    policy = {"rule": TWO, "require_reason": "always"}
    late = decided(policy, {**YES, "comment": "ok"}, {"expire": True})
    mute = decided(policy, YES)

    assert (late.exit, late.code) == (1, "ApprovalRejected")
    assert [e["decision"] for e in late.of("InterruptResolved")] == ["timed_out"]
    assert (mute.exit, mute.codes) == (3, ["AnswerInvalid"])
