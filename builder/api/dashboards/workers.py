"""The processes of the installation, as operators see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Wire, time
from builder.base import clock
from builder.models import Membership, Run
from builder.reads.operations.processes import Process, in_hand_among, processes, runs_in_hand
from builder.services.permissions import Right, may

HEARD_MS: Final = 30_000
"""A process that was heard of so recently is there."""


class WorkerOut(Wire):
    """A process of this installation. `kind` is its command: `serve` does all, `web` serves people,
    `worker` executes runs, of which it has `runs` in hand, `runs_here` of them in this workspace:
    `GET /api/runs/?worker=` lists those. One that is `draining` was told to end.
    """

    id: str
    kind: str
    version: str
    draining: bool
    runs: Annotated[int | None, Field(description="null for who operates nothing")]
    runs_here: int
    host: Annotated[str, Field(description="empty for who operates nothing")]
    pid: int | None
    started_at: str
    seen_at: str
    alive: bool


class WorkersOut(Wire):
    """All processes, and how many runs no process has in hand: they wait for somebody or a moment.

    Of this workspace `GET /api/runs/?worker=-` lists the `resting_here`, `worker=any` the `held_here`.
    """

    results: list[WorkerOut]
    resting: Annotated[int | None, Field(description="null for who operates nothing")]
    resting_here: int
    held_here: int


class WorkersView(ApiView):
    """The processes of the installation."""

    @extend_schema(responses=WorkersOut, operation_id="workers")
    def get(self, request: Request) -> Response:
        """List the processes, the latest heard of first."""
        member = self.member()
        here = runs_here(self, member)
        return Response(
            WorkersOut(
                results=workers_out(member, clock.now_ms(), here),
                resting=runs_in_hand().get(None, 0) if may(member, Right.CANCEL) else None,
                resting_here=here.get(None, 0),
                held_here=sum(here.values()) - here.get(None, 0),
            )
        )


def runs_here(view: ApiView, member: Membership) -> Mapping[str | None, int]:
    """Return how many runs of the workspace, as the caller may list them, each process has in hand."""
    return in_hand_among(view.visible(Run.objects.in_workspace(member.workspace_id)))


def workers_out(member: Membership, now: int, here: Mapping[str | None, int]) -> list[WorkerOut]:
    """Return the processes; names and figures of other workspaces' work are for operators."""
    named = may(member, Right.CANCEL)
    return [_worker(process, now, named) for process in processes(here)]


def _worker(process: Process, now: int, named: bool) -> WorkerOut:
    row = process.row
    return WorkerOut(
        id=row.boot_id,
        kind=row.kind,
        version=row.version,
        draining=row.draining,
        runs=process.runs if named else None,
        runs_here=process.here,
        host=row.host if named else "",
        pid=row.pid if named else None,
        started_at=time(row.started_at),
        seen_at=time(row.last_seen_at),
        alive=row.last_seen_at > now - HEARD_MS,
    )
