"""Who may do what, role by role and right by right."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from builder.models import Membership, Role, Run
from builder.reads import figures
from builder.services.permissions import Right, may, may_cancel
from tests.builder.conftest import People

MAY = {
    "viewer": "view",
    "author": "view edit run",
    "reviewer": "view decide",
    "operator": "view run cancel decide",
    "admin": "view edit run cancel decide budget admin",
}


@pytest.mark.parametrize("role", list(Role))
def test_a_role_has_its_rights_and_no_other(role: Role) -> None:
    member = Membership(role=role)

    assert {right.value for right in Right if may(member, right)} == set(MAY[role].split())


@pytest.mark.parametrize(
    ("role", "own", "others"),
    [
        ("viewer", False, False),
        ("author", True, False),
        ("reviewer", False, False),
        ("operator", True, True),
        ("admin", True, True),
    ],
)
def test_who_may_cancel_whose_run(role: str, own: bool, others: bool) -> None:
    member: Any = SimpleNamespace(role=role, user_id="me")

    assert may_cancel(member, Run(started_by="me", status="running")) is own
    assert may_cancel(member, Run(started_by="other", status="running")) is others
    assert not may_cancel(member, Run(started_by="me", status="completed"))


@pytest.mark.usefixtures("run")
def test_an_overview_counts_one_workspace(people: People) -> None:
    here = figures.overview(people.alice.workspace_id, "UTC")
    away = figures.overview(people.carol.workspace_id, "UTC")

    assert (here.running, away.running) == (1, 0)
    assert away.by_graph == []
