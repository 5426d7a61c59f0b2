"""Limits in Django admin go through the service: its right, its audit entry, its word to the engine."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from builder.models import AuditEntry, BudgetLimit, Graph
from tests.builder.conftest import People
from tests.builder.fakes import FakeDoor

ADD = "/admin/builder/budgetlimit/add/"


@pytest.fixture
def staff(people: People) -> Client:
    """Olga, who is admin of her workspace, in Django admin."""
    user = people.olga.user
    user.is_staff = user.is_superuser = True
    user.save()
    client = Client()
    client.force_login(user)
    return client


def form(people: People, **fields: Any) -> dict[str, Any]:
    home = people.olga.workspace_id
    return {
        "workspace": home,
        "graph": "",
        "period": "day",
        "limit_tokens": "",
        "limit_usd": "",
        **fields,
    }


def test_a_limit_is_set_changed_and_taken_away(
    staff: Client, people: People, door: FakeDoor, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        made = staff.post(ADD, form(people, limit_usd="2.50"))
        limit = BudgetLimit.objects.get()
        place = f"/admin/builder/budgetlimit/{limit.pk}"
        changed = staff.post(
            f"{place}/change/", {"period": "week", "limit_usd": "", "limit_tokens": 9}
        )
        now = BudgetLimit.objects.get()
        gone = staff.post(f"{place}/delete/", {"post": "yes"})

    assert [r.status_code for r in (made, changed, gone)] == [302, 302, 302]
    assert limit.limit_pico == 25 * 10**11
    assert (now.period, now.limit_pico, now.limit_tokens) == ("week", None, 9)
    assert not BudgetLimit.objects.exists()
    assert door.budget_changes == 3
    actions = "".join(AuditEntry.objects.values_list("entry", flat=True))
    assert all(f"budget.{action}" in actions for action in ("created", "changed", "deleted"))


@pytest.mark.parametrize("fields", [{}, {"limit_usd": "-1"}, {"limit_usd": "1", "away": True}])
def test_what_the_service_would_refuse_is_shown_in_the_form(
    staff: Client, people: People, graph: Graph, fields: dict[str, Any]
) -> None:
    if fields.pop("away", False):
        fields = {**fields, "workspace": people.carol.workspace_id, "graph": graph.pk}
    answer = staff.post(ADD, form(people, **fields))

    assert (answer.status_code, BudgetLimit.objects.exists()) == (200, False)


def test_limits_of_workspaces_of_others_are_read_only(staff: Client, people: People) -> None:
    limit = BudgetLimit.objects.create(workspace=people.carol.workspace, limit_tokens=5)
    place = f"/admin/builder/budgetlimit/{limit.pk}"

    assert staff.get(f"{place}/change/").status_code == 200
    assert staff.post(f"{place}/change/", {"period": "week", "limit_tokens": 9}).status_code == 403
    assert staff.post(f"{place}/delete/", {"post": "yes"}).status_code == 403
    assert BudgetLimit.objects.get().limit_tokens == 5
