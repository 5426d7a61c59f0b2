"""What became of a request to a run, for who was told that it is kept and has its effect later."""

from __future__ import annotations

import json
from typing import Literal

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Wire, time, time_or_none
from builder.base.errors import NotFound
from builder.models import RunRequest


class RunRequestOut(Wire):
    """A request: whether it has had its effect, and if it was refused, why."""

    id: int
    kind: str
    asked_at: str
    answered_at: str | None
    state: Literal["open", "granted", "refused", "failed"]
    code: str | None
    detail: str | None


class RequestView(ApiView):
    """One request to a run."""

    @extend_schema(responses=RunRequestOut, operation_id="run_request")
    def get(self, request: Request, run_id: object, asked: int) -> Response:
        """Return what became of it."""
        run = self.run(run_id)
        row = RunRequest.objects.filter(run=run.pk, pk=asked).first()
        if row is None:
            raise NotFound("no such request to this run", code="RequestNotFound")
        return Response(request_out(row))


def request_out(row: RunRequest) -> RunRequestOut:
    """Return a request as callers see it."""
    told = json.loads(row.answer) if row.answer else {"open": {}}
    [state] = told
    refusal = told.get("refused", {})
    return RunRequestOut(
        id=row.pk,
        kind=row.kind,
        asked_at=time(row.created),
        answered_at=time_or_none(row.answered),
        state=state,
        code=refusal.get("code"),
        detail=refusal.get("message"),
    )
