"""Whom a policy can make eligible: nobody by a chosen name, nobody whose role may not decide."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.people.eligibility import Asking, kept_out, may_raise, seats_for
from engine.core.state.requests import Actor
from engine.core.state.run_state import OpenInterrupt
from engine.core.values.json import FrozenDict
from tests.engine.check.graphs import line, node, problems
from tests.engine.runtime.approvals.test_approval_rules import (
    ANN,
    BOB,
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

REVIEWER = frozenset({"reviewer"})
LEGAL = frozenset({"legal"})
CARA = Actor("c-1", "Cara", roles=REVIEWER, login="cara@example.com")
RENAMED = Actor("m-1", "cara@example.com", roles=REVIEWER, login="mallory@example.com")
VIEWER = Actor("v-1", "Vera", roles=frozenset({"viewer"}), groups=LEGAL, login="vera@example.com")


def may(actor: Actor, *eligible: str, kind: str = "approval") -> bool:
    return Asking(kind, eligible).why_not(actor) is None


def test_a_person_is_named_by_id_or_login_only() -> None:
    """C96: Who takes another's name as display name is not eligible in their place."""
    assert may(CARA, "user:c-1")
    assert may(CARA, "user:Cara@example.com")
    assert not may(CARA, "user:Cara")
    assert not may(RENAMED, "user:cara@example.com")
    assert not may(Actor("x", roles=REVIEWER), "user:")


@virtually
async def test_who_renames_himself_into_a_policy_may_not_decide() -> None:
    """C96: The engine refuses the namesake; the person named decides."""
    lab = asking({"eligible": ["user:cara@example.com"]}, CARA, RENAMED)
    await lab.start()

    assert await refused(lab, RENAMED) == "NotEligible"
    await say(lab, CARA)
    assert await ended(lab) == ("completed", 1)


@pytest.mark.parametrize(
    "entry", ["user:vera@example.com", "user:v-1", "group:legal", "role:viewer"]
)
@pytest.mark.parametrize("kind", ["approval", "in_doubt", "budget"])
def test_a_policy_gives_nobody_the_right_to_decide(entry: str, kind: str) -> None:
    """C96: A role that may not decide does not, named or not, asked at once or by escalation."""
    later = Asking(kind, (), escalated=[entry])

    assert not may(VIEWER, entry, kind=kind)
    assert later.why_not(VIEWER) == "the role viewer may not decide"


@virtually
async def test_an_author_in_the_list_holds_nothing_up() -> None:
    """C96: `all` keeps no seat for somebody who is named and may not decide."""
    entries = ["user:ann", "user:bob", "user:eve"]
    lab = asking({"rule": "all", "eligible": entries}, ANN, BOB, EVE)
    await lab.start()

    assert item(lab).seats == ("user:ann", "user:bob")
    assert await refused(lab, EVE) == "NotEligible"
    await say(lab, ANN)
    await say(lab, BOB)
    assert await ended(lab) == ("completed", 1)


def found(policy: dict[str, Any], *members: Actor) -> list[str]:
    document = line(node("ok", "approval", config={"policy": policy}))
    return [p.path for p in problems(document, members=members) if p.code == "NobodyMayDecide"]


def test_check_agrees_with_the_engine() -> None:
    """C192: An approval that only viewers or namesakes are named for is found while drawing."""
    assert found({"eligible": ["user:vera@example.com"]}, VIEWER, CARA) != []
    assert found({"eligible": ["group:legal"]}, VIEWER) != []
    assert found({"eligible": ["user:cara@example.com"]}, RENAMED) != []
    escalated = {"eligible": [], "escalation": {"after_ms": 1000, "to": ["user:v-1"]}}
    assert found(escalated, VIEWER) != []
    assert found({"eligible": ["user:cara@example.com"]}, RENAMED, CARA) == []
    assert seats_for("all", ["group:legal"], [VIEWER, CARA]) == ["nobody"]


def test_where_no_roles_are_known_the_policy_alone_decides() -> None:
    """C96: A script has people without roles: who is named may decide."""
    assert may(Actor("dan"), "user:dan")
    assert not may(Actor("dan"), "user:eve")


@pytest.mark.parametrize("role", ["viewer", "author", "reviewer", "operator", "admin"])
@pytest.mark.parametrize("kind", ["approval", "in_doubt", "budget", "text", "choice", "form"])
@pytest.mark.parametrize("eligible", [None, ["user:x"]], ids=["by role", "named"])
def test_which_role_may_answer_what(kind: str, role: str, eligible: list[str] | None) -> None:
    """C96: An author knows, a reviewer decides, a viewer looks: named or not makes no difference."""
    reason = Asking(kind, eligible).why_not(Actor("x", roles=frozenset({role})))
    may_answer = kind in ("text", "choice", "form") and role == "author"

    assert (reason is None) == (role in ("reviewer", "operator", "admin") or may_answer)


@pytest.mark.parametrize("rule", ["starter", "publisher", "editor"])
def test_four_eyes_keeps_out_whom_its_rule_names_and_nobody_else(rule: str) -> None:
    """C96: Who started is one rule, who published or edited another."""
    started = {
        "started_by": "starter",
        "people": {"publisher": ["publisher"], "editor": ["editor"]},
    }

    assert kept_out(started, {"four_eyes": [rule]}) == {rule: {rule}}
    assert kept_out(started, {}) == {}


@pytest.mark.parametrize("level", ["node", "run", "graph", "workspace"])
@pytest.mark.parametrize("role", ["reviewer", "operator", "admin"])
def test_a_budget_that_others_share_is_raised_by_who_edits_budgets(level: str, role: str) -> None:
    """C45: Node and run concern this run alone; graph and workspace are everybody's."""
    request = FrozenDict({"level": level})
    opened = OpenInterrupt("q", "a#1", "p", "budget", request, 0)
    actor = Actor("x", roles=frozenset({role}))

    if level in ("node", "run") or role == "admin":
        may_raise(opened, actor)
    else:
        with pytest.raises(RequestRefused, match="edit budgets"):
            may_raise(opened, actor)


@virtually
async def test_where_all_must_approve_a_rejection_ends_it_whoever_was_asked_since() -> None:
    """C97: Whom it was escalated to stands in for anybody, and yet outvotes nobody."""
    escalation = {"after_ms": 1_000, "to": ["user:dan"]}
    policy = {"rule": "all", "eligible": ["user:ann", "user:bob"], "escalation": escalation}
    lab = asking(policy, ANN, BOB, DAN)
    await lab.start()
    await asyncio.sleep(2)
    await say(lab, ANN, "rejected")

    assert await ended(lab) == ("failed", 0)
