"""Circuit breakers, and closing one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Listing, Named, Wire, time_or_none
from builder.base.errors import InvalidInput, NotFound
from builder.models import Breaker, Graph, Membership
from builder.services.permissions import Right, may
from builder.services.runs import breakers


class BreakerOut(Wire):
    """A circuit breaker of one node and target."""

    id: str
    graph: Named | None
    node: str
    target: str
    state: str
    failures: int
    opened_at: str | None


class BreakerList(Listing[BreakerOut]):
    """Circuit breakers, and whether the caller may reset them."""

    can_reset: bool


class BreakersView(ApiView):
    """The circuit breakers of the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({"state"})

    @extend_schema(
        responses=BreakerList, operation_id="breakers", parameters=[OpenApiParameter("state")]
    )
    def get(self, request: Request) -> Response:
        """List breakers; without `state` those that are not closed."""
        member = self.member()
        rows = self.visible(Breaker.objects.in_workspace(member.workspace_id))
        state = self.text("state")
        if state not in ("", "all", "open", "half_open", "closed"):
            raise InvalidInput("open, half_open, closed or all", path="state")
        if state != "all":
            rows = rows.filter(state=state) if state else rows.exclude(state="closed")
        found = list(rows.order_by("-opened_at", "pk")[:200])
        return Response(
            BreakerList(
                results=breakers_out(found, member),
                can_reset=may(member, Right.CANCEL),
            )
        )


class ResetBreakerView(ApiView):
    """One circuit breaker."""

    @extend_schema(request=None, responses=BreakerOut, operation_id="reset_breaker")
    def post(self, request: Request, breaker_id: str) -> Response:
        """Close a breaker: the next attempt is made (operator)."""
        found = self.visible(Breaker.objects.all()).filter(pk=breaker_id).first()
        if found is None or found.workspace_id is None:
            raise NotFound("no such breaker", code="BreakerNotFound")
        member = self.member_of(found.workspace_id)
        breakers.reset_breaker(member, found)
        found.refresh_from_db()
        return Response(breakers_out([found], member)[0])


def breakers_out(rows: Iterable[Breaker], member: Membership) -> list[BreakerOut]:
    """Return breakers as on the wire, with the names of their workflows."""
    listed = list(rows)
    slugs = {row.node.partition("/")[0] for row in listed}
    graphs = Graph.objects.in_workspace(member.workspace_id).active().filter(slug__in=slugs)
    named = {graph.slug: Named(id=graph.pk, name=graph.name) for graph in graphs}
    return [
        BreakerOut(
            id=row.pk,
            graph=named.get(row.node.partition("/")[0]),
            node=row.node.partition("/")[2] or row.node,
            target=row.target,
            state=row.state,
            failures=row.failures,
            opened_at=time_or_none(row.opened_at),
        )
        for row in listed
    ]
