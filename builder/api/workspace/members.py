"""The people of a workspace. Nobody is added here: people follow invitations."""

from __future__ import annotations

from typing import Annotated, Literal

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.view import WRITES, ApiView, no_content
from builder.api.http.wire import Body, Listing, Wire
from builder.api.workspace.session import PersonOut
from builder.base.errors import NotFound
from builder.models import Membership, User
from builder.models.querysets import MembershipQuerySet
from builder.services.people import accounts
from builder.services.people.sign_in import factors

RoleName = Literal["viewer", "author", "reviewer", "operator", "admin"]
GroupName = Annotated[str, Field(min_length=1, max_length=64)]


class MemberChange(Body):
    """A change of role or groups."""

    role: RoleName | None = None
    groups: list[GroupName] | None = None


class MemberOut(Wire):
    """Who belongs to the workspace, in which role and groups."""

    id: str
    user: PersonOut
    role: str
    groups: list[str]


class MembersView(ApiView):
    """The members of the current workspace."""

    @extend_schema(responses=Listing[MemberOut], operation_id="members")
    def get(self, request: Request) -> Response:
        """List members, the first ones first."""
        rows = (
            _people(Membership.objects.in_workspace(self.member().workspace_id))
            .select_related("user")
            .prefetch_related("groups")
        )
        found = page(rows, self.window(), field="created_at", newest_first=False)
        results = [member_out(row) for row in found.rows]
        return Response(Listing[MemberOut].of(found, results))


class OneMember(ApiView):
    """A route about one member."""

    people_only = WRITES

    def target(self, member_id: object) -> Membership:
        """Return the member. Raises `NotFound`."""
        rows = Membership.objects.select_related("user", "workspace")
        found = _people(self.visible(rows)).filter(pk=str(member_id)).first()
        if found is None:
            raise NotFound("no such member")
        return found


class MemberView(OneMember):
    """Changes the role and groups of a member, or ends the membership."""

    @extend_schema(request=MemberChange, responses=MemberOut, operation_id="change_member")
    def patch(self, request: Request, member_id: object) -> Response:
        """Change role or groups."""
        target = self.target(member_id)
        body = MemberChange.read(self.request.data)
        actor = self.member_of(target.workspace_id)
        accounts.change_member(actor, target, role=body.role, groups=body.groups)
        return Response(member_out(target))

    @extend_schema(responses={204: None}, operation_id="remove_member")
    def delete(self, request: Request, member_id: object) -> Response:
        """Take the person out of the workspace."""
        target = self.target(member_id)
        accounts.remove_member(self.member_of(target.workspace_id), target)
        return no_content()


class SecondFactorView(OneMember):
    """The second factor of a member who lost theirs."""

    @extend_schema(responses={204: None}, operation_id="take_off_second_factor")
    def delete(self, request: Request, member_id: object) -> Response:
        """Take it off, and sign the person out everywhere (admin, wherever the person is a member)."""
        target = self.target(member_id)
        factors.take_off(self.member_of(target.workspace_id), target)
        return no_content()


def _people(rows: MembershipQuerySet) -> MembershipQuerySet:
    """Return those who are people: as service accounts, triggers act and nobody else."""
    return rows.exclude(user__kind=User.Kind.SERVICE)


def member_out(row: Membership) -> MemberOut:
    """Return a member as on the wire."""
    return MemberOut(
        id=row.pk,
        user=PersonOut(id=row.user_id, name=str(row.user), email=row.user.email),
        role=row.role,
        groups=sorted(group.name for group in row.groups.all()),
    )
