"""An engine door that writes rows through the ORM: enough of a run for the builder's tests."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Max

from builder.base.bells import Frame, hub, inbox_topic, run_topic, runs_topic
from builder.base.failure_words import as_said, cause_id
from builder.base.tool_sources import ListedSource, ListedSources
from builder.models import (
    Breaker,
    FailureCause,
    GraphVersion,
    Interrupt,
    Run,
    RunEvent,
    RunFailure,
    RunRequest,
    Workspace,
)
from engine.core.effects import EffectClass
from engine.core.errors import RequestRefused
from engine.core.graph.document import GraphSpec
from engine.core.node_types.node_type import UNSET
from engine.core.state.requests import Actor, Answer, ForkRun, StartRun, Supposed
from engine.integrations.tools.functions import DEFAULT
from engine.integrations.tools.protocol import ToolSpec
from engine.runtime.mailbox import wishes
from engine.runtime.stores.requests import Told, granted, refused
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

NOW = 1_800_000_000_000
INSTALLED = ListedSource(DEFAULT.name, tools=DEFAULT.specs)


class FakeDoor:
    """Starts runs that stand still until a test moves them."""

    def __init__(self) -> None:
        self.starts: list[StartRun] = []
        self.answers: list[tuple[str, Answer, Actor]] = []
        self.supposed: list[Supposed] = []
        self.budget_changes = 0
        self.records: dict[str, Any] = {}
        self.forks: list[ForkRun] = []
        self.compared: list[tuple[str, str, dict[str, Any]]] = []
        self.resends = False
        self.deaf = False
        """Whether it comes to no request for now."""
        self.plans: dict[str, dict[str, Any]] = {}
        self.trusted: set[str] = set()
        self.silent: dict[str, str] = {}
        self.file_problem: str | None = None
        self.tool_specs: list[ToolSpec] = [
            ToolSpec("add", "Adds.", {"type": "object"}, EffectClass.PURE)
        ]

    def start_run(self, request: StartRun, spec: GraphSpec | None = None) -> str:
        with transaction.atomic():
            Workspace.objects.select_for_update().get(pk=request.workspace_id)
            return self._start(request)

    def _start(self, request: StartRun) -> str:
        known = Run.objects.filter(
            workspace=request.workspace_id, trigger_key=request.trigger_key
        ).first()
        if request.trigger_key is not None and known is not None:
            return known.pk
        self.starts.append(request)
        version = GraphVersion.objects.get(pk=request.version_id)
        run = Run.objects.create(
            id=request.run_id,
            workspace_id=request.workspace_id or "",
            graph_id=version.graph_id,
            version=version,
            graph_slug=request.graph_id,
            status="running",
            trigger_key=request.trigger_key,
            body_hash=request.body_hash,
            started_by=request.started_by,
            source=request.source,
            trigger=request.trigger,
            started_at=NOW + len(self.starts),
        )
        given = None if request.input is UNSET else request.input
        append(run, "RunStarted", goal=request.goal or "", input=given, until=request.until)
        hub.ring(runs_topic(run.workspace_id))
        return run.pk

    def answer_to(self, run_id: str, number: int, within_s: float) -> Told | None:
        row = RunRequest.objects.get(pk=number, run=run_id)
        if self.deaf:
            return None
        if row.answered is None:
            try:
                told = granted(self._apply(row) or {})
            except RequestRefused as refusal:
                told = refused(refusal)
            row.answer, row.answered = json.dumps(told), NOW
            row.save()
        found: Told = json.loads(row.answer or "")
        return found

    def _apply(self, row: RunRequest) -> dict[str, Any] | None:
        said = json.loads(row.payload)
        if row.kind == "cancel":
            self.cancel_run(row.run_id, row.by, said["reason"])
            return None
        actor = wishes.actor_of(said["actor"])
        if row.kind == "answer":
            return self.answer(row.run_id, said["request_id"], wishes.answer_of(said), actor)
        if row.kind == "answer_back":
            raise RequestRefused("NotEligible", "somebody else was asked")
        return {"request_id": said["request_id"], "expires_at": None}

    def cancel_run(self, run_id: str, by: str, reason: str | None) -> None:
        run = Run.objects.get(pk=run_id)
        run.status = "cancelled"
        run.ended_at = run.started_at + 1000
        append(run, "RunCancelled", by=by, reason=reason)

    def retry_run(
        self,
        run_id: str,
        by: str,
        *,
        resend: bool = False,
        key: str | None = None,
        source: str | None = None,
    ) -> str:
        if self.resends and not resend:
            raise RequestRefused("ForkResends", "1 call would be sent again", detail={"plan": {}})
        old = Run.objects.get(pk=run_id)
        known = None if key is None else Run.objects.filter(trigger_key=key).first()
        if known is not None:
            return known.pk
        run = Run.objects.create(
            id=str(uuid.uuid4()),
            workspace=old.workspace,
            graph=old.graph,
            version=old.version,
            graph_slug=old.graph_slug,
            status="running",
            started_by=by,
            started_at=NOW,
            trigger_key=key,
            source=source,
        )
        append(run, "RunStarted", forked_from={"run_id": run_id, "seq": 1}, retry=True)
        RunFailure.objects.filter(number=old.number or 0).update(retried_by=run.pk)
        return run.pk

    def retry_plan(self, run_id: str) -> dict[str, Any]:
        return {**self.fork_plan(run_id, "draft#1"), **self.plans.get(run_id, {})}

    def fork_run(self, run_id: str, request: ForkRun) -> str:
        self.forks.append(request)
        key = request.trigger_key
        return self.retry_run(
            run_id, request.by, resend=request.resend, key=key, source=request.source
        )

    def fork_plan(self, run_id: str, at: int | str) -> dict[str, Any]:
        empty: dict[str, Any] = {name: [] for name in ("reused", "again", "resent", "points")}
        more: dict[str, Any] = {"stale": [], "asks": [], "waiting": False}
        return {"from": {"seq": 1, "key": str(at)}, "earliest_with_changes": None, **empty, **more}

    def stale_plan(self, run_id: str, spec: GraphSpec, pins: Mapping[str, Any]) -> dict[str, Any]:
        self.compared.append((run_id, spec.hash, dict(pins)))
        return {**self.fork_plan(run_id, 1), **self.plans.get(run_id, {})}

    def given_to(self, run_id: str, node: str) -> dict[str, Any]:
        return {"input": None, "memory": {}, "outputs": {}, "previous": None}

    def answer(self, run_id: str, request_id: str, answer: Answer, actor: Actor) -> dict[str, Any]:
        assert Interrupt.objects.get(pk=request_id).run == run_id
        self.answers.append((request_id, answer, actor))
        row = Interrupt.objects.get(pk=request_id)
        if not {"reviewer", "operator", "admin"} & actor.roles:
            raise RequestRefused("NotEligible", "reviewers decide")
        if answer.content_hash not in (None, row.content_hash):
            raise RequestRefused("ContentChanged", "look again")
        if row.kind == "approval" and answer.decision not in ("approved", "rejected"):
            raise RequestRefused("AnswerInvalid", "approve or reject")
        decided = {"by": actor.id, "decision": answer.decision, "comment": answer.comment}
        decided |= self.records
        won = Interrupt.objects.filter(pk=request_id, status="open").update(
            status="answered", decided_by=actor.id, decided_at=NOW, outcome=answer.decision
        )
        if not won:
            first = {"by": row.decided_by, "decision": row.outcome}
            if first == {"by": actor.id, "decision": answer.decision}:
                return decided
            raise RequestRefused("AlreadyDecided", "decided before", detail={"decided": first})
        event = append(
            Run.objects.get(pk=row.run),
            "InterruptResolved",
            key=row.key,
            request_id=request_id,
            outcome="answered",
            answer=decided,
            by=actor.id,
            comment=answer.comment,
        )
        Interrupt.objects.filter(pk=request_id).update(resolved_seq=event.seq)
        hub.ring(inbox_topic(row.workspace_id))
        return decided

    def foresee(self, run_id: str, supposed: Supposed) -> dict[str, Any]:
        assert Interrupt.objects.get(pk=supposed.request_id).run == run_id
        self.supposed.append(supposed)
        return {"steps": [], "ends": None, "why": None, "passes": []}

    def reset_breaker(self, breaker_id: str) -> bool:
        fields = {"state": "closed", "failures": 0, "successes": 0, "opened_at": None}
        return bool(Breaker.objects.filter(pk=breaker_id).update(**fields))

    def state_at(self, run_id: str, seq: int | None) -> dict[str, Any]:
        head = Run.objects.get(pk=run_id).seq
        lanes: dict[str, Any] = dict.fromkeys(("memory", "outputs", "metadata", "context", "ui"))
        return {"seq": head if seq is None else seq, **{name: {} for name in lanes}}

    def resume_token(self, request_id: str) -> str:
        return hashlib.sha256(f"key {request_id}".encode()).hexdigest()

    def tool_sources(self, workspace_id: str) -> ListedSources:
        names = dict.fromkeys(spec.source for spec in self.tool_specs)
        listed = [
            ListedSource(
                name,
                kind="functions" if name == "python" else "program",
                trusted=name in self.trusted,
                vetted=name == "python",
                tools=tuple(spec for spec in self.tool_specs if spec.source == name),
            )
            for name in names
        ]
        down = [
            ListedSource(name, kind="http", vetted=False, problem=said)
            for name, said in self.silent.items()
        ]
        return ListedSources((*listed, *down), "mcp.json", self.file_problem)

    def tools_to_check(self, workspace_id: str) -> ListedSources:
        found = self.tool_sources(workspace_id)
        return replace(found, sources=(*found.sources, INSTALLED))

    def known_tools(self, workspace_id: str) -> ListedSources:
        return self.tools_to_check(workspace_id)

    def limits_changed(self) -> None:
        self.budget_changes += 1

    def is_alive(self, within_s: float) -> bool:
        return True

    def is_ready(self, within_s: float) -> bool:
        return True

    def subscribe(
        self, run_id: str, listener: Callable[[Frame | None], None]
    ) -> Callable[[], None]:
        return hub.subscribe(run_topic(run_id), listener)


def append(run: Run, kind: str, *, key: str | None = None, **data: Any) -> RunEvent:
    """Append one event to the run's log and ring its bell."""
    run.seq = Run.objects.values_list("seq", flat=True).get(pk=run.pk) + 1
    if run.number is None:
        run.number = (Run.objects.aggregate(last=Max("number"))["last"] or 0) + 1
    place = run.number * EVENTS_PER_RUN + run.seq
    event = RunEvent.objects.create(
        place=place, type=kind, at=NOW + run.seq, key=key, data=orjson.dumps(data)
    )
    run.save()
    hub.ring(run_topic(run.pk))
    return event


def open_interrupt(
    run: Run,
    kind: str = "approval",
    *,
    policy: Mapping[str, Any] | None = None,
    prompt: str = "Send it?",
    require_reason: str | None = None,
    data: Mapping[str, Any] | None = None,
    request: Mapping[str, Any] | None = None,
) -> Interrupt:
    """Open an interrupt of the run's node `review`; `request` adds to what it shows."""
    request_id = str(uuid.uuid4())
    shown: dict[str, Any] = {
        "prompt": prompt,
        "data": dict(data or {"draft": "Hello"}),
        **(request or {}),
    }
    if policy is not None:
        shown["policy"] = dict(policy)
    if require_reason is not None:
        shown["require_reason"] = require_reason
    event = append(run, "InterruptOpened", key="review#1", request_id=request_id, request=shown)
    return Interrupt.objects.create(
        request_id=request_id,
        run=run.pk,
        workspace_id=run.workspace_id,
        key="review#1",
        node="review",
        kind=kind,
        status="open",
        opened_at=NOW,
        expires_at=NOW + 86_400_000,
        opened_seq=event.seq,
        content_hash="c" * 64,
        approval_type=shown.get("approval_type", "human_review") if kind == "approval" else "",
    )


def fail(
    run: Run,
    message: str = "503 from the gateway",
    *,
    node: str = "draft",
    code: str = "HttpUnavailable",
    detail: dict[str, Any] | None = None,
    step: bool = True,
) -> FailureCause:
    """End the run as failed, at a step or between two, and count that as the engine's store does."""
    error = {"code": code, "message": message, "node": node}
    told = {**error, "detail": detail} if detail else error
    run.status, run.error, run.ended_at = "failed", orjson.dumps(told).decode(), NOW + 1_000
    if step:
        append(run, "NodeFailed", key=f"{node}#1", error=error, edges=[])
    append(run, "RunFailed", error=told)
    code, message = as_said(code, message)
    key = cause_id(run.workspace_id, run.graph_slug, node, code, message)
    about = {
        "workspace": run.workspace,
        "graph": run.graph,
        "graph_slug": run.graph_slug,
        "node": node,
        "code": code,
        "sample": message,
        "count": 0,
        "first_at": run.ended_at,
        "first_version": run.version,
    }
    cause, _ = FailureCause.objects.get_or_create(pk=key, defaults={**about, "last_at": 0})
    cause.count += 1
    cause.last_at, cause.last_version, cause.sample = run.ended_at, run.version, message
    cause.save()
    RunFailure.objects.create(number=run.number or 0, cause=cause, at=run.ended_at)
    return cause
