"""The audit log over HTTP: what people did, as a list and as a file, and whether it is intact."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import orjson
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.view import ApiView
from builder.api.http.wire import JsonMap, Listing, Named, Wire, in_reach, moment
from builder.base.errors import InvalidInput
from builder.models import AuditEntry, Membership
from builder.reads.audited.names import ids_in, names_of
from builder.reads.audited.search import showing
from builder.reads.audited.steps import steps_in, steps_of
from builder.reads.audited.titles import called, titles_then
from builder.reads.csv_lines import csv_safe
from builder.services.audit import chain as audit
from builder.services.audit import run_actions
from builder.services.permissions import Right, require

ACTION: Final = re.compile(r"[a-z_]+(\.[a-z_]+)?\Z")
FILTERS: Final = ("search", "action", "actor", "since", "until")
MAX_LINES: Final = 100_000
"""Entries of one file, the latest; for more the file is had by `since` and `until`."""
READ_AT_ONCE: Final = 500


class AuditOut(Wire):
    """One action; `hash` chains it to the one before. `names` has what its ids are called now.

    A workflow's name stands there under `graph:` and its slug, a step's, as the version that ran called it,
    under `node:` and its id.
    """

    n: int
    at: str
    actor: Named | None
    action: str
    target: str
    target_name: str | None
    detail: JsonMap
    names: dict[str, str]
    hash: str


class VerificationOut(Wire):
    """Whether the chain holds; `first_broken` is the first entry that was changed or removed."""

    entries: int
    first_broken: int | None


class AuditView(ApiView):
    """What people did in the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({*FILTERS, "format"})

    @extend_schema(
        responses=with_csv(Listing[AuditOut]),
        operation_id="audit",
        parameters=[OpenApiParameter(name) for name in (*FILTERS, "format", "cursor", "limit")],
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """List actions, the latest first (admin). `action` may be a beginning such as `member`."""
        member = self.member()
        require(member, Right.ADMIN)
        run_actions.enter_all()
        rows = self._rows(member)
        wanted = self.text("format") or "json"
        if wanted not in ("json", "csv"):
            raise InvalidInput("json or csv", path="format")
        if wanted == "csv":
            answer = HttpResponse("".join(_lines(rows, member)), content_type="text/csv")
            answer["Content-Disposition"] = 'attachment; filename="audit.csv"'
            return answer
        found = page(rows, self.window(), field="n")
        results = audit_out(found.rows, member.workspace_id)
        return Response(Listing[AuditOut].of(found, results))

    def _rows(self, member: Membership) -> QuerySet[AuditEntry]:
        rows = self.visible(AuditEntry.objects.in_workspace(member.workspace_id))
        if action := self.text("action"):
            if not ACTION.match(action):
                raise InvalidInput("an action such as member.added", path="action")
            rows = rows.filter(entry__contains=f'"action":"{action}')
        if actor := self.text("actor"):
            rows = rows.filter(entry__contains=f'"actor":"{actor}"')
        if search := self.text("search"):
            rows = rows.filter(showing(search, member.workspace_id))
        for name, compare in (("since", "at__gte"), ("until", "at__lt")):
            if text := self.text(name):
                rows = rows.filter(**{compare: _moment(text, name)})
        return rows


class AuditVerificationView(ApiView):
    """Whether anybody changed the past."""

    @extend_schema(responses=VerificationOut, operation_id="verify_audit")
    def get(self, request: Request) -> Response:
        """Compute the chain of hashes anew and say where it breaks (admin)."""
        member = self.member()
        require(member, Right.ADMIN)
        rows = self.visible(AuditEntry.objects.in_workspace(member.workspace_id))
        broken = audit.first_broken(member.workspace_id)
        return Response(VerificationOut(entries=rows.count(), first_broken=broken))


def _moment(text: str, path: str) -> Any:
    try:
        found = parse_datetime(text)
        if found is not None and found.tzinfo is not None:
            return in_reach(found)
    except ValueError:
        pass
    raise InvalidInput("a moment such as 2026-11-22T09:00:00Z", path=path)


def audit_out(rows: Iterable[AuditEntry], workspace_id: str) -> list[AuditOut]:
    """Return actions as they are on the wire: people and things as named now, items as then."""
    named = list(_named(list(rows), workspace_id))
    known = {one: name for _row, _action, names in named for one, name in names.items()}
    then = titles_then([action for _row, action, _names in named], known, workspace_id)
    return [_told(row, action, names, then) for row, action, names in named]


def _named(
    rows: Sequence[AuditEntry], workspace_id: str
) -> Iterator[tuple[AuditEntry, dict[str, Any], dict[str, str]]]:
    """Yield entries with what they say and what their ids are called."""
    read = [(row, audit.read(row)) for row in rows]
    mentioned = [set(ids_in(action)) for _row, action in read]
    names = names_of(set().union(*mentioned), workspace_id)
    steps = steps_of((action for _row, action in read), workspace_id)
    for (row, action), ids in zip(read, mentioned, strict=True):
        named = {one: names[one] for one in sorted(ids) if one in names}
        yield row, action, named | steps_in(action, steps)


def _told(
    row: AuditEntry,
    action: Mapping[str, Any],
    names: Mapping[str, str],
    then: Mapping[tuple[str, str], str],
) -> AuditOut:
    actor, target = action["actor"], str(action["target"])
    detail = action["detail"] if isinstance(action["detail"], dict) else {}
    who = None if actor is None else Named(id=str(actor), name=names.get(str(actor), str(actor)))
    return AuditOut(
        n=row.n,
        at=moment(row.at),
        actor=who,
        action=str(action["action"]),
        target=target,
        target_name=called(action, names, then),
        detail=detail,
        names=dict(names),
        hash=row.entry_hash,
    )


def _lines(rows: QuerySet[AuditEntry], member: Membership) -> Iterator[str]:
    """Yield the actions as lines of CSV, the latest first."""
    out = io.StringIO()
    writer = csv.writer(out)
    of_whom = ("actor_id", "actor", "action", "target", "target_name")
    writer.writerow(["n", "at", *of_whom, "detail", "hash", "names"])
    left, written = rows.order_by("-n"), 0
    while written < MAX_LINES and (part := list(left[:READ_AT_ONCE])):
        written += len(part)
        left = left.filter(n__lt=part[-1].n)
        for one in audit_out(part, member.workspace_id):
            who = (one.actor.id, one.actor.name) if one.actor else ("", "")
            line = [*who, one.action, one.target, one.target_name or ""]
            detail = orjson.dumps(one.detail).decode()
            names = orjson.dumps(one.names).decode()
            writer.writerow([one.n, one.at, *map(csv_safe, line), detail, one.hash, names])
    yield out.getvalue()
