"""Who could decide today, as an author writes a policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

import orjson
from drf_spectacular.utils import extend_schema
from pydantic import Field, JsonValue, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import WRITES, ApiView
from builder.api.http.wire import Body, Named, Text, Wire
from builder.base.errors import InvalidInput, problem
from builder.base.turns import turns
from builder.models import StandIn
from builder.services.graphs.deciders import Deciders, deciders_of
from engine.core.state.requests import Actor
from engine.nodes.approval import ApprovalPolicy

MAX_ENTRIES: Final = 50
"""Entries of a policy that are looked at; a list of more is a group that nobody has made."""
MAX_SHOWN: Final = 50


class WhoBody(Body):
    """A policy as in a document, who is supposed to start, and the graph whose editors count."""

    policy: dict[str, JsonValue]
    starter: Annotated[Text, Field(max_length=64)] | None = None
    graph: Text | None = None


class WhoNotOut(Wire):
    """Somebody who is asked and may not decide; `rule` is the one of four eyes that forbids it."""

    id: str
    name: str
    why: str
    rule: str | None


class WhoAwayOut(Wire):
    """Somebody who could decide and is away `until` that day included; `to` decides meanwhile."""

    absent: Named
    to: Named
    until: str


class WhoOut(Wire):
    """Who could decide now, who from the escalation on, and who not; at most 50 of each by name.

    `strangers` are entries that name nobody here, `computed` those that only a run can tell;
    `met` says whether those who can are enough, null where only a run can tell.
    """

    can: list[Named]
    can_total: int
    away: list[WhoAwayOut]
    later: list[Named]
    later_total: int
    cannot: list[WhoNotOut]
    cannot_total: int
    strangers: list[str]
    computed: list[str]
    met: bool | None
    looked_at: int
    members: int


class WhoView(ApiView):
    """Who could decide an approval under a policy."""

    people_only = WRITES

    @extend_schema(request=WhoBody, responses=WhoOut, operation_id="who_may_decide")
    def post(self, request: Request) -> Response:
        """Tell who could decide today, and who could not and why; nothing is written."""
        member = self.member()
        body = WhoBody.read(request.data)
        graph = None if body.graph is None else self.graph(body.graph)
        if graph is not None:
            member = self.member_of(graph.workspace_id)
        policy = _policy(body.policy).model_dump(mode="json")
        with turns.taken(self.user.pk):
            starter = member.user_id if body.starter is None else body.starter
            found = deciders_of(member, policy, starter=starter, graph=graph)
        return Response(_out(found))


def _policy(given: dict[str, JsonValue]) -> ApprovalPolicy:
    """Return a policy as the node reads it. Raises `InvalidInput` with each problem's place."""
    try:
        policy = ApprovalPolicy.model_validate_json(orjson.dumps(given), strict=True)
    except ValidationError as error:
        raise InvalidInput(
            "the policy has mistakes",
            problems=[
                problem("InputInvalid", ".".join(["policy", *map(str, item["loc"])]), item["msg"])
                for item in error.errors(include_url=False, include_context=False)[:20]
            ],
        ) from None
    later = () if policy.escalation is None else policy.escalation.to
    if len(policy.eligible or ()) + len(later) > MAX_ENTRIES:
        raise InvalidInput(f"at most {MAX_ENTRIES} people, groups and roles", path="policy")
    return policy


def _out(found: Deciders) -> WhoOut:
    said = found.said
    refused = [
        WhoNotOut(id=one.actor.id, name=one.actor.name, why=one.why, rule=one.rule)
        for one in said.cannot[:MAX_SHOWN]
    ]
    return WhoOut(
        can=_named(said.can),
        can_total=len(said.can),
        away=[_away(row) for row in found.away[:MAX_SHOWN]],
        later=_named(said.later),
        later_total=len(said.later),
        cannot=refused,
        cannot_total=len(said.cannot),
        strangers=list(said.strangers),
        computed=list(said.computed),
        met=said.met,
        looked_at=found.looked_at,
        members=found.members,
    )


def _away(row: StandIn) -> WhoAwayOut:
    absent, to = (Named(id=one.pk, name=str(one)) for one in (row.absent, row.to))
    return WhoAwayOut(absent=absent, to=to, until=row.last_day.isoformat())


def _named(people: Sequence[Actor]) -> list[Named]:
    return [Named(id=one.id, name=one.name) for one in people[:MAX_SHOWN]]
