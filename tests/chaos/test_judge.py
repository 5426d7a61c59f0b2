"""The judge is not blind: each fault, fed to it as facts, counts where it belongs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.chaos.evidence import Rules
from tests.chaos.facts import Fact
from tests.chaos.judge import judge
from tests.chaos.verdict import ZEROS

RULES = Rules(
    owes={"orders": ("ship",)}, run_tokens=100, purse="purse", purse_tokens=30, purse_booked=30
)
LOG = [[1, "RunStarted"], [2, "InterruptResolved"], [3, "RunCompleted"]]

CLOSED = {"request": "q1", "decision": "approved", "by": "rita"}


def effect(kind: str, step: str, key: str, **more: Any) -> Fact:
    fact = {"what": "effect", "kind": kind, "tag": "t1x1", "step": step, "key": key}
    return {**fact, "done": True, "answer": "ok", **more}


def charged(tag: str = "t1x1", tokens: int = 12, answer: str = "ok") -> Fact:
    fact = {"what": "charged", "tag": tag, "step": "think", "key": "m"}
    return {**fact, "tokens": tokens, "answer": answer}


def decided(decision: str, **more: Any) -> Fact:
    fact = {"what": "decided", "request": "q1", "kind": "approval", "run": "r1", "tag": "t1x1"}
    return {**fact, "by": "rita", "decision": decision, "status": 200, "code": None, **more}


def started(run: str = "r1", tag: str = "t1x1", flow: str = "orders") -> Fact:
    return {"what": "started", "run": run, "tag": tag, "flow": flow}


def ended(run: str = "r1", tag: str = "t1x1", **more: Any) -> Fact:
    fact = {"what": "ended", "run": run, "tag": tag, "flow": "orders", "status": "completed"}
    books = {"code": None, "booked": 12, "held": 0}
    return {**fact, **books, "log": LOG, "resolved": [CLOSED], **more}


RECORDED = [charged(), effect("keyed", "ship", "k1"), effect("unsafe", "pay", "u1")]
ANSWERED = [
    started(),
    started(),
    decided("approved"),
    decided("rejected", status=409),
    ended(),
    {"what": "watched", "run": "r1", "seen": LOG},
]


def test_a_good_day_is_all_zeros() -> None:
    verdict = judge(RECORDED, ANSWERED, RULES)

    assert verdict.is_clean, verdict.where
    line = json.loads(verdict.line(kills=3, seed=1))
    assert line == {"runs": 1, "kills": 3, **dict.fromkeys(ZEROS, 0), "seed": 1}


FAULTS: dict[str, tuple[str, list[Fact], list[Fact]]] = {
    "an acknowledged run is gone": ("lost", [], [{"what": "gone", "run": "r1", "tag": "t1x1"}]),
    "a run fails for no reason": (
        "lost",
        [],
        [started("r2"), ended("r2", status="failed", code="StoreUnavailable")],
    ),
    "a run fails over an answer that could be read": (
        "lost",
        [],
        [started("r2"), ended("r2", status="failed", code="ProviderUnreadable")],
    ),
    "a completed run left out a step": (
        "lost",
        [],
        [started("r2", "t2x1"), ended("r2", "t2x1", booked=0)],
    ),
    "a run does not end": ("stuck", [], [started("r2", "t2x1")]),
    "a log has a gap": (
        "events_missing",
        [effect("keyed", "ship", "k2", tag="t2x1")],
        [started("r2", "t2x1"), ended("r2", "t2x1", log=[LOG[0], LOG[2]], resolved=[])],
    ),
    "a socket leaves an event out": (
        "events_missing",
        [],
        [{"what": "watched", "run": "r1", "seen": LOG[:1] + LOG[2:]}],
    ),
    "a socket brings an event twice": (
        "events_missing",
        [],
        [{"what": "watched", "run": "r1", "seen": [*LOG, LOG[2]]}],
    ),
    "a keyed step is done under a second key": (
        "keyed_repeated",
        [effect("keyed", "ship", "k2")],
        [],
    ),
    "a payment is sent again": ("unsafe_repeated", [effect("unsafe", "pay", "u1")], []),
    "a payment is sent again after a cut": (
        "unsafe_repeated",
        [effect("unsafe", "pay", "u1", answer="cut_before", done=False)],
        [],
    ),
    "a request is closed twice": (
        "decisions_twice",
        [],
        [started("r2", "t1x1"), ended("r2")],
    ),
    "two people are told that theirs counted": ("decisions_twice", [], [decided("rejected")]),
    "a decision that was granted is forgotten": (
        "lost",
        [],
        [decided("approved", request="q7")],
    ),
    "one person is enough for two": (
        "decisions_twice",
        [],
        [
            started("r2", "t2x1", "board"),
            decided("approved", run="r2", tag="t2x1"),
            ended("r2", "t2x1", flow="board", booked=0),
        ],
    ),
    "a call is sent as the model wanted it": (
        "unapproved",
        [effect("unsafe", "wanted", "", tag="t2x1")],
        [],
    ),
    "an approved call is never sent": (
        "lost",
        [],
        [
            started("r2", "t2x1", "refunds"),
            decided("approved", run="r2", tag="t2x1", request="q2"),
            ended(
                "r2",
                "t2x1",
                flow="refunds",
                booked=0,
                resolved=[{"request": "q2", "decision": "approved", "by": "rita"}],
            ),
        ],
    ),
    "both ways are taken": ("decisions_twice", [effect("keyed", "refund", "k9")], []),
    "a call is not booked": ("budget_under", [charged()], []),
    "a budget is overspent": ("budget_under", [charged(tokens=200)], []),
    "an ended run holds money": (
        "budget_under",
        [effect("keyed", "ship", "k2", tag="t2x1")],
        [started("r2", "t2x1"), ended("r2", "t2x1", held=5, resolved=[])],
    ),
    "a shared budget is overspent": (
        "budget_under",
        [charged("t2x1", 31)],
        [
            started("r2", "t2x1", "purse"),
            ended("r2", "t2x1", flow="purse", booked=31, resolved=[]),
        ],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_seen(name: str) -> None:
    zero, recorded, answered = FAULTS[name]

    verdict = judge([*RECORDED, *recorded], [*ANSWERED, *answered], RULES)

    assert verdict.broken[zero] > 0, verdict.where
    assert not verdict.is_clean


@pytest.mark.parametrize(
    ("recorded", "answered"),
    [
        ([effect("unsafe", "pay", "u1")], [decided("retry", run="below", request="q2")]),
        ([effect("unsafe", "pay", "u1", answer="refuse", done=False)], []),
        ([effect("keyed", "ship", "k1", done=False)], []),
        ([effect("keyed", "ship", "k0", answer="refuse", done=False)], []),
        ([], [decided("rejected", status=0)]),
        (
            [charged("t2x1", answer="nonsense")],
            [
                started("r2", "t2x1", "board"),
                ended(
                    "r2",
                    "t2x1",
                    status="failed",
                    flow="board",
                    code="ProviderUnreadable",
                    resolved=[],
                ),
            ],
        ),
        (
            [charged("t2x1", answer="nonsense")],
            [
                started("r2", "t2x1", "outer"),
                ended("r2", "t2x1", status="failed", code="SubgraphFailed", resolved=[]),
            ],
        ),
        (
            [],
            [
                started("r2", "t2x1", "board"),
                decided("approved", run="r2", tag="t2x1", request="q2"),
                decided("approved", run="r2", tag="t2x1", request="q2", by="ravi", status=0),
                ended("r2", "t2x1", flow="board", booked=0, resolved=[CLOSED | {"request": "q2"}]),
            ],
        ),
    ],
    ids=[
        "a person said so",
        "it was refused",
        "the same key",
        "refused first",
        "not answered",
        "nonsense",
        "nonsense to a child",
        "two people",
    ],
)
def test_what_is_allowed_does_not_count(recorded: list[Fact], answered: list[Fact]) -> None:
    verdict = judge([*RECORDED, *recorded], [*ANSWERED, *answered], RULES)

    assert verdict.is_clean, verdict.where
