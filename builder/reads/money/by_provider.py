"""What a workspace spent on the models of each provider this month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Sum

from builder.models import Spending


class Spent(NamedTuple):
    """Pico-dollars, calls, and calls among them that had no price."""

    pico: int = 0
    calls: int = 0
    unpriced: int = 0


def spent_this_month(workspace_id: str, zone: str) -> Mapping[str, Spent]:
    """Return it by the provider's name, since the first day of the month in the workspace's zone."""
    today = datetime.now(ZoneInfo(zone)).date()
    rows = Spending.objects.in_workspace(workspace_id).between(
        today.replace(day=1).isoformat(), today.isoformat()
    )
    spent: dict[str, Spent] = defaultdict(Spent)
    for model, *more in rows.values_list("model").annotate(
        Sum("pico"), Sum("calls"), Sum("unpriced")
    ):
        provider = model.partition("/")[0]
        spent[provider] = Spent(*(a + b for a, b in zip(spent[provider], more, strict=True)))
    return spent
