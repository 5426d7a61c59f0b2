"""What failures have in common, whatever differs from run to run."""

from __future__ import annotations

import time

import pytest

from builder.base.failure_words import alike, as_said, cause_id, is_rejection
from engine.core.errors import UNDECIDED

KID = "graph 'kid' ended as failed: "


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("503 from http://ledger.example/pay?id=7", "503 from https://ledger.example/pay?id=8888"),
        ("no customer 'Tess O.' in K-4720", "no customer 'Kim' in K-1"),
        ('"a b" is missing', '"c" is missing'),
        ("run 3f2b8c1e-0a4d-4f6e-9b1a-2c3d4e5f6a7b died", "run 1 died"),
        ("at 2026-11-23T04:05:06Z: refused", "at 12:30: refused"),
        ("mail to tess@example.com bounced", "mail to kim@shop.example bounced"),
        ("10.0.0.7:8080 hung up", "192.168.0.1:80 hung up"),
        ("missing 3, 4, 5", "missing 6"),
    ],
)
def test_what_differs_from_run_to_run_is_left_out(one: str, other: str) -> None:
    assert alike(one) == alike(other)
    assert "#" in alike(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the gateway is down", "the ledger is down"),
        ("don't know 'Tess' here", "don't know 'Tess' there"),
        ("503 Service Unavailable", "500 Internal Server Error"),
    ],
)
def test_other_words_are_another_cause(one: str, other: str) -> None:
    assert alike(one) != alike(other)


def test_a_cause_is_of_one_workspace_workflow_node_and_code() -> None:
    whole = ("home", "sync", "post", "HttpUnavailable", "503")
    ids = {cause_id(*whole)}
    for at in range(4):
        other = list(whole)
        other[at] = "x"
        ids.add(cause_id(*other))

    assert len(ids) == 5
    assert cause_id(*whole) == cause_id("home", "sync", "post", "HttpUnavailable", "504")


def test_what_people_reject_at_a_node_is_one_cause_whatever_they_say() -> None:
    ids = {
        cause_id("home", "sync", node, "ApprovalRejected", f"rejected: {why}")
        for node, why in (("ask", "not our customer"), ("ask", "too much"), ("other", "too much"))
    }

    assert len(ids) == 2


def test_a_budget_without_room_is_one_cause_however_much_was_used() -> None:
    at = ("home", "sync", "think", "WorkspaceBudgetExceeded")
    says = "the workspace's budget does not allow it: 9 of 5 tokens used"

    assert cause_id(*at, says) == cause_id(*at, f"{says}, 2 reserved for calls under way")


@pytest.mark.parametrize("hard", ['"', "“", "'", "`", "# ", "#,", "a1 ", " ", "<", "9"])
def test_a_giant_message_is_read_in_a_moment(hard: str) -> None:
    begun = time.perf_counter()

    alike(hard * 1_000_000)

    assert time.perf_counter() - begun < 0.5


def test_what_nobody_decided_in_time_is_not_what_somebody_rejected() -> None:
    at = ("home", "sync", "ask", "ApprovalRejected")

    assert cause_id(*at, "nobody decided in time") != cause_id(*at, "rejected: too much")


@pytest.mark.parametrize(
    ("code", "message", "told"),
    [
        ("ApprovalRejected", "rejected: no", ("ApprovalRejected", "rejected: no")),
        ("SubgraphFailed", f"{KID}ApprovalRejected: no", ("ApprovalRejected", "no")),
        (
            "SubgraphFailed",
            f"{KID}SubgraphFailed: {KID}ApprovalRejected: no",
            ("ApprovalRejected", "no"),
        ),
        ("SubgraphFailed", f"{KID}ApprovalRejected: {UNDECIDED}", None),
        ("SubgraphFailed", f"{KID}HttpRejected: it said: {KID}ApprovalRejected: no", None),
        ("HttpRejected", f"{KID}ApprovalRejected: no", None),
    ],
)
def test_what_was_refused_below_is_told_as_it_was_there(
    code: str, message: str, told: tuple[str, str] | None
) -> None:
    assert as_said(code, message) == (told or (code, message))
    assert is_rejection(code, message) is (told is not None)
