"""Which rows a token reaches that is for some workflows only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from builder.models import Graph, Interrupt, Offer, Run
from builder.models.querysets import ScopedQuerySet

Q = TypeVar("Q", bound=ScopedQuerySet[Any])
PATHS: Final[dict[Any, str]] = {Graph: "pk", Run: "graph", Offer: "graph"}


def within(rows: Q, graphs: Sequence[str]) -> Q:
    """Return the rows that are of these workflows; all where none are named.

    Rows of which nobody has said how they hang on a workflow are not among them.
    """
    if not graphs:
        return rows
    if rows.model is Interrupt:
        runs = Run.objects.filter(graph__in=graphs).order_by().values("pk")
        return rows.filter(run__in=runs)
    path = PATHS.get(rows.model)
    return rows.none() if path is None else rows.filter(**{f"{path}__in": graphs})
