"""Notices of a budget's mark: which budget, and how much of how much."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail as outgoing

from builder.doors.telling.carrying import carrier
from builder.models import BudgetLimit, Run
from tests.builder.doors.telling.conftest import Happen, MakeChannel, MakeRule
from tests.builder.doors.telling.receiver import Receiver

pytestmark = pytest.mark.django_db


def test_a_mark_names_the_budget_and_how_much_of_how_much(
    settings: Any,
    receiver: Receiver,
    channel: MakeChannel,
    rule: MakeRule,
    happen: Happen,
    run: Run,
) -> None:
    settings.MAIL = True
    limit = BudgetLimit.objects.create(
        workspace=run.workspace, graph=run.graph, period="month", limit_pico=10 * 10**12
    )
    rule(channel("mail", address="ops@example.com"), "budget.mark")
    rule(channel("webhook"), "budget.mark")
    spent = {"spent_usd": "9.1", "limit_usd": "10", "spent_tokens": 5, "limit_tokens": None}
    happen("budget.mark", run, f"graph:{limit.pk}:2026-11", percent=90, level="graph", **spent)

    assert carrier.carry() == 2

    said = "The monthly budget of “Support” is used to 90 %: $9.10 of $10.00"
    assert said in outgoing.outbox[0].body
    budget = receiver.came[0].json["data"]["budget"]
    assert (budget["name"], budget["period"]) == ("The monthly budget of “Support”", "month")
    assert budget["workflow"] == {"id": run.graph_id, "name": "Support"}
