"""Rules of what is told where and when."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.view import no_content
from builder.api.http.wire import Listing
from builder.api.telling.channels import OF, TellingView
from builder.api.telling.wire import RuleBody, RuleChange, RuleOut, rule_out
from builder.base.errors import NotFound
from builder.doors.telling.channels.owners import require_owner
from builder.doors.telling.rules import verbs as rules
from builder.models import Membership, NoticeRule


class RulesView(TellingView):
    """Rules of the caller's channels, or of the workspace's."""

    query_names: ClassVar[frozenset[str]] = frozenset({"of"})

    @extend_schema(responses=Listing[RuleOut], operation_id="notice_rules", parameters=[OF])
    def get(self, request: Request) -> Response:
        """List them, the first made first."""
        member = self.member()
        rows = NoticeRule.objects.of(member, mine=self.whose(member)).select_related("channel")
        found = page(rows, self.window(), field="made_at", newest_first=False)
        return Response(Listing[RuleOut].of(found, [rule_out(row) for row in found.rows]))

    @extend_schema(request=RuleBody, responses={201: RuleOut}, operation_id="create_notice_rule")
    def post(self, request: Request) -> Response:
        """Make one."""
        self.member()
        body = RuleBody.read(request.data)
        member, channel = self.channel(body.channel)
        return Response(rule_out(rules.create(member, channel, body.wanted())), status=201)


class RuleView(TellingView):
    """One rule."""

    @extend_schema(responses=RuleOut, operation_id="notice_rule")
    def get(self, request: Request, rule_id: object) -> Response:
        """Return it."""
        return Response(rule_out(self._rule(rule_id)[1]))

    @extend_schema(request=RuleChange, responses=RuleOut, operation_id="change_notice_rule")
    def patch(self, request: Request, rule_id: object) -> Response:
        """Change it: all of what is given, and the rest as usual."""
        member, row = self._rule(rule_id)
        wanted = RuleChange.read(request.data).wanted()
        return Response(rule_out(rules.change(member, row, wanted)))

    @extend_schema(responses={204: None}, operation_id="remove_notice_rule")
    def delete(self, request: Request, rule_id: object) -> Response:
        """Remove it; what was told by it stays."""
        rules.remove(*self._rule(rule_id))
        return no_content()

    def _rule(self, rule_id: object) -> tuple[Membership, NoticeRule]:
        rows = self.visible(NoticeRule.objects.select_related("channel"))
        row = rows.filter(pk=str(rule_id)).first()
        if row is None:
            raise NotFound("no such rule", code="NoticeRuleNotFound")
        member = self.member_of(row.channel.workspace_id)
        require_owner(member, row.channel.user_id)
        return member, row
