"""What a test run asks for beside its input: one node alone, pins, breakpoints; and going on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from builder.adapters.check_world import workspace_world
from builder.adapters.directory import actor_of
from builder.base import engine_door
from builder.base.errors import NotAllowed, NotFound, Unprocessable
from builder.models import Graph, Membership, Run
from builder.services.graphs.pins import pins_of
from builder.services.permissions import Right, require
from builder.services.runs import mailbox
from engine.check.rules.dangers import danger_at
from engine.check.subject import Subject
from engine.core.graph.document import GraphSpec, parse_document
from engine.core.node_types.node_type import UNSET
from engine.core.state.events import BREAKPOINT_ID
from engine.core.state.requests import Answer, StartRun
from engine.runtime.mailbox import wishes

GIVEN: Final = frozenset({"outputs", "previous"})


@dataclass(frozen=True, slots=True)
class Trial:
    """What a caller asks for. `given` is `{input?, memory?, outputs?, previous?}`.

    `accept` says that the calls of the node which runs alone may be made.
    """

    only: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    pins: bool = False
    breakpoints: tuple[str, ...] = ()
    accept: bool = False

    @property
    def plain(self) -> list[Any]:
        """What tells one request from another; empty for a run that is no trial."""
        asked = [self.only, dict(self.given), self.pins, list(self.breakpoints)]
        return asked if self != NO_TRIAL else []


NO_TRIAL: Final = Trial()


def as_trial(
    request: StartRun, trial: Trial, graph: Graph, document: Mapping[str, Any], *, published: bool
) -> StartRun:
    """Return the start with what the trial asks for.

    Raises `Unprocessable` `OnlySends` where a node alone would change something outside and nobody
    accepted that, `OnlyNeedsApproval` where the workflow requires approvals.
    """
    spec = parse_document(document)[0]
    if trial.only is not None and spec is not None and not published:
        refuse_danger(graph, spec, trial.only, accept=trial.accept)
    known = None if spec is None or published else frozenset(spec.nodes_by_id)
    given = dict(trial.given)
    return replace(
        request,
        only=trial.only,
        input=given.get("input", UNSET) if trial.only is not None else request.input,
        memory=given.get("memory") if trial.only is not None else request.memory,
        given={name: value for name, value in given.items() if name in GIVEN},
        pins=pins_of(graph, known) if trial.pins else {},
        breakpoints=trial.breakpoints,
        published=published,
    )


def refuse_danger(graph: Graph, spec: GraphSpec, node: str, *, accept: bool) -> None:
    """Raise where a node is not to be run alone, or not without being asked."""
    tools = engine_door.engine().tools_to_check(graph.workspace_id)
    danger = danger_at(Subject(spec, workspace_world(spec, graph.workspace_id, tools)), node)
    if danger is None:
        return
    if graph.require_approval:
        raise Unprocessable(
            f"{danger[1]}, and this workflow requires approvals: run to here instead",
            code="OnlyNeedsApproval",
        )
    if not accept:
        raise Unprocessable(danger[1], code="OnlySends", extra={"node": node, "why": danger[1]})


def go_on(member: Membership, run: Run, request_id: str, decision: str) -> dict[str, Any]:
    """Let the caller's run go on from a breakpoint: `continue`, `step` or `stop`.

    Raises `NotFound` for any other pause, and `RequestRefused` as the engine does.
    """
    require(member, Right.RUN)
    if not request_id.startswith(BREAKPOINT_ID):
        raise NotFound("no such breakpoint", code="InterruptNotFound")
    if run.started_by != member.user_id:
        raise NotAllowed("only who started the run goes on from here", code="NotEligible")
    actor = replace(actor_of(member), via="page")
    wish = wishes.answer(request_id, Answer("", decision=decision), actor)
    return mailbox.outcome(run.pk, mailbox.ask(run.pk, wish).pk)
