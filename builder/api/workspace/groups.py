"""Groups of members: who is in each, and what names it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.view import WRITES, ApiView, no_content
from builder.api.http.wire import Body, Listing, Name, Named, Text, Wire
from builder.base.errors import NotFound
from builder.models import Group, Membership
from builder.services.people.membership import groups
from builder.services.people.membership.uses import NOT_FOR_ALL, Kind, uses_of
from builder.services.permissions import Right, may

PersonId = Annotated[Text, Field(min_length=1, max_length=36)]
People = Annotated[list[PersonId], Field(max_length=500)]
GroupName = Annotated[Name, Field(max_length=64)]


class GroupBody(Body):
    """A group to be made, and the ids of the people in it."""

    name: GroupName
    members: People = []


class GroupChange(Body):
    """What of a group changes: its name, and the ids of who comes in and who goes."""

    name: GroupName | None = None
    add: People = []
    remove: People = []


class GroupUse(Wire):
    """What names a group. `id` is the workflow's or item's, empty where there is none.

    `name` is the workflow's, the step's, the provider's or the invited address; of alerts what is counted.
    """

    kind: Kind
    id: str
    name: str


class GroupOut(Wire):
    """A group, who is in it, and what names it; of sign-in and invitations only admins are told."""

    id: str
    name: str
    members: list[Named]
    used_by: list[GroupUse]


class GroupsView(ApiView):
    """The groups of the current workspace."""

    people_only = WRITES

    @extend_schema(responses=Listing[GroupOut], operation_id="groups")
    def get(self, request: Request) -> Response:
        """List them by name."""
        member = self.member()
        rows = Group.objects.filter(workspace=member.workspace_id)
        found = page(
            rows.prefetch_related("memberships__user"),
            self.window(),
            field="name",
            newest_first=False,
        )
        return Response(Listing[GroupOut].of(found, groups_out(member, found.rows)))

    @extend_schema(request=GroupBody, responses={201: GroupOut}, operation_id="create_group")
    def post(self, request: Request) -> Response:
        """Make one (admin)."""
        member = self.member()
        body = GroupBody.read(request.data)
        row = groups.create(member, body.name, body.members)
        return Response(groups_out(member, [row])[0], status=201)


class GroupView(ApiView):
    """One group."""

    people_only = WRITES

    @extend_schema(responses=GroupOut, operation_id="group")
    def get(self, request: Request, group_id: int) -> Response:
        """Return it."""
        member, row = self._group(group_id)
        return Response(groups_out(member, [row])[0])

    @extend_schema(request=GroupChange, responses=GroupOut, operation_id="change_group")
    def patch(self, request: Request, group_id: int) -> Response:
        """Rename it, let people in and out (admin)."""
        member, row = self._group(group_id)
        body = GroupChange.read(request.data)
        changed = groups.change(member, row, groups.Change(body.name, body.add, body.remove))
        return Response(groups_out(member, [changed])[0])

    @extend_schema(responses={204: None}, operation_id="remove_group")
    def delete(self, request: Request, group_id: int) -> Response:
        """End a group that nothing names (admin)."""
        groups.remove(*self._group(group_id))
        return no_content()

    def _group(self, group_id: int) -> tuple[Membership, Group]:
        row = Group.objects.filter(pk=group_id, workspace__memberships__user=self.user.pk).first()
        if row is None:
            raise NotFound("no such group", code="GroupNotFound")
        return self.member_of(row.workspace_id), row


def groups_out(member: Membership, rows: Iterable[Group]) -> list[GroupOut]:
    """Return groups as a member sees them."""
    uses = uses_of(member.workspace_id)
    hidden = frozenset[str]() if may(member, Right.ADMIN) else NOT_FOR_ALL
    return [
        GroupOut(
            id=str(row.pk),
            name=row.name,
            members=sorted(
                (Named(id=one.user_id, name=str(one.user)) for one in row.memberships.all()),
                key=lambda one: (one.name, one.id),
            ),
            used_by=[
                GroupUse.model_validate(asdict(use))
                for use in uses.get(row.name, ())
                if use.kind not in hidden
            ],
        )
        for row in rows
    ]
