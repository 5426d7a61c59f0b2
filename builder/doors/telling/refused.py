"""What triggers turned away of late, counted for who looks at a workflow."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count

from builder.base.clock import DAY_MS
from builder.models import Delivery, Trigger


def refused_lately(triggers: Iterable[Trigger], now: int) -> dict[str, int]:
    """Return by trigger how much was refused within a day; those that refused nothing are left out."""
    rows = Delivery.objects.filter(
        door__in=[row.pk for row in triggers], state=Delivery.State.REFUSED, at__gte=now - DAY_MS
    )
    return dict(rows.order_by().values_list("door").annotate(Count("pk")))
