"""Who is away, and who decides for them meanwhile: seen by all, set by oneself or by an admin."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import WRITES, ApiView, no_content
from builder.api.http.wire import Body, Listing, Named, Text, Wire
from builder.base.errors import NotFound
from builder.models import Membership, StandIn
from builder.services.people.away import standing_in
from builder.services.people.away.standing_in import Absence
from builder.services.permissions import Right, may

UserId = Annotated[Text, Field(min_length=1, max_length=64)]
Note = Annotated[Text, Field(max_length=200)]
Day = Annotated[date, Field(strict=False)]


class StandInBody(Body):
    """From which day to which, both included, and who decides; `absent` is the caller unless said."""

    absent: UserId | None = None
    to: UserId
    first_day: Day
    last_day: Day
    note: Note = ""


class StandInChange(Body):
    """What is to be otherwise."""

    to: UserId | None = None
    first_day: Day | None = None
    last_day: Day | None = None
    note: Note | None = None


class StandInOut(Wire):
    """Who stands in for whom; `now` is whether it is on today, in the workspace's time `zone`."""

    id: str
    absent: Named
    to: Named
    first_day: str
    last_day: str
    note: str
    now: bool
    zone: str
    may_change: bool


class StandInsView(ApiView):
    """The absences of the current workspace that are on or ahead."""

    people_only = WRITES

    @extend_schema(responses=Listing[StandInOut], operation_id="stand_ins")
    def get(self, request: Request) -> Response:
        """List them, the first one first: every member sees all."""
        member = self.member()
        results = [_told(row, member) for row in standing_in.standing_in(member)[:500]]
        return Response(Listing[StandInOut](results=results))

    @extend_schema(request=StandInBody, responses={201: StandInOut}, operation_id="set_stand_in")
    def post(self, request: Request) -> Response:
        """Set who stands in for oneself, or as an admin for anybody."""
        member = self.member()
        body = StandInBody.read(request.data)
        absent = member.user_id if body.absent is None else body.absent
        absence = Absence(absent, body.to, body.first_day, body.last_day, body.note.strip())
        made = standing_in.set_stand_in(member, absence)
        return Response(_told(made, member), status=201)


class StandInView(ApiView):
    """One absence."""

    people_only = WRITES

    def _found(self, stand_in_id: object) -> tuple[StandIn, Membership]:
        rows = StandIn.objects.select_related("workspace", "absent", "to")
        row = self.visible(rows).filter(pk=str(stand_in_id)).first()
        if row is None:
            raise NotFound("nobody stands in there: it has ended, or never was")
        return row, self.member_of(row.workspace_id)

    @extend_schema(request=StandInChange, responses=StandInOut, operation_id="change_stand_in")
    def patch(self, request: Request, stand_in_id: object) -> Response:
        """Change the days, the stand-in or the note."""
        row, member = self._found(stand_in_id)
        body = StandInChange.read(request.data)
        absence = Absence(
            row.absent_id,
            body.to or row.to_id,
            body.first_day or row.first_day,
            body.last_day or row.last_day,
            row.note if body.note is None else body.note.strip(),
        )
        standing_in.change_stand_in(member, row, absence)
        return Response(_told(self._found(stand_in_id)[0], member))

    @extend_schema(responses={204: None}, operation_id="end_stand_in")
    def delete(self, request: Request, stand_in_id: object) -> Response:
        """End it at once."""
        row, member = self._found(stand_in_id)
        standing_in.end_stand_in(member, row)
        return no_content()


def _told(row: StandIn, member: Membership) -> StandInOut:
    return StandInOut(
        id=row.pk,
        absent=Named(id=row.absent_id, name=str(row.absent)),
        to=Named(id=row.to_id, name=str(row.to)),
        first_day=row.first_day.isoformat(),
        last_day=row.last_day.isoformat(),
        note=row.note,
        now=row.holds(timezone.now()),
        zone=row.workspace.zone,
        may_change=row.absent_id == member.user_id or may(member, Right.ADMIN),
    )
