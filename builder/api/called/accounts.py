"""Accounts of no person, as which programs and triggers act: who made each, and the tokens that open it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Max
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.called.tokens import TokenOut, tokens_out
from builder.api.http.pagination import page
from builder.api.http.view import WRITES, ApiView, no_content
from builder.api.http.wire import Listing, Named, Wire, moment
from builder.base.errors import NotFound
from builder.doors.called import accounts
from builder.models import ApiToken, Membership, Trigger, User


class AccountOut(Wire):
    """An account of no person; `id` is what runs name it by.

    `tokens` are those that open something now, `last_used_at` counts the others, too. `triggers` is
    how many start runs as it.
    """

    id: str
    name: str
    role: str
    made_by: Named | None
    made_at: str
    last_used_at: str | None
    triggers: int
    tokens: list[TokenOut]


class AccountsView(ApiView):
    """The accounts of no person in the current workspace."""

    @extend_schema(responses=Listing[AccountOut], operation_id="service_accounts")
    def get(self, request: Request) -> Response:
        """List them, the newest first (admin)."""
        member = self.member()
        found = page(accounts.accounts_of(member), self.window(), field="created_at")
        return Response(Listing[AccountOut].of(found, _out(member.workspace_id, found.rows)))


class AccountView(ApiView):
    """One account of no person."""

    people_only = WRITES

    @extend_schema(responses={204: None}, operation_id="end_service_account")
    def delete(self, request: Request, account_id: object) -> Response:
        """End it with its tokens: calls with them are refused from now on (admin)."""
        rows = self.visible(Membership.objects.select_related("user"))
        found = rows.filter(user=str(account_id), user__kind=User.Kind.SERVICE).first()
        if found is None:
            raise NotFound("no such account", code="AccountNotFound")
        accounts.end(self.member_of(found.workspace_id), found)
        return no_content()


def _out(workspace_id: str, rows: Sequence[Membership]) -> list[AccountOut]:
    users = [row.user_id for row in rows]
    tokens = ApiToken.objects.in_workspace(workspace_id).filter(user__in=users)
    used = dict(tokens.order_by().values_list("user").annotate(at=Max("last_used_at")))
    live = list(tokens.live().select_related("user").order_by("-created_at"))
    held: dict[str, list[TokenOut]] = defaultdict(list)
    for row, shown in zip(live, tokens_out(live), strict=True):
        held[row.user_id].append(shown)
    triggers: dict[str, int] = defaultdict(int)
    for user in Trigger.objects.filter(account__in=users).values_list("account", flat=True):
        triggers[user] += 1
    return [
        AccountOut(
            id=row.user_id,
            name=row.user.name,
            role=row.role,
            made_by=_named(row.user.made_by),
            made_at=moment(row.created_at),
            last_used_at=moment(at) if (at := used.get(row.user_id)) else None,
            triggers=triggers[row.user_id],
            tokens=held[row.user_id],
        )
        for row in rows
    ]


def _named(who: User | None) -> Named | None:
    return None if who is None else Named(id=who.pk, name=str(who))
