"""Runs: start, cancel, retry, fork. The engine writes the rows; here it is decided who may ask."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from builder.base import engine_door
from builder.base.errors import Conflict, InvalidInput, NotAllowed, NotFound, Unprocessable, problem
from builder.models import Graph, GraphVersion, Membership, Run, RunFailure
from builder.models.prepared import Prepared
from builder.reads.runs.start_keys import API, key_of, run_of_key
from builder.services.graphs.drafts import document_of
from builder.services.graphs.graphs import Frozen, freeze_draft
from builder.services.permissions import Right, may_cancel, may_retry, require
from builder.services.runs import mailbox
from builder.services.runs.trials import NO_TRIAL, Trial, as_trial
from engine.core.budgets.money import usd_text_or_none
from engine.core.graph.document import parse_document
from engine.core.node_types.node_type import UNSET
from engine.core.state.requests import ForkRun, StartRun
from engine.core.values.json import digest
from engine.runtime.mailbox import wishes

ENGINE_CONTEXT: Final = frozenset(
    {"graph_id", "run_id", "tenant_id", "user_id", "session_id", "correlation_id"}
)
"""Context keys that the engine sets; callers over HTTP may not (row S2)."""


LATEST: Final = Prepared(
    lambda graph: GraphVersion.objects.filter(graph=graph).published().defer("document")[:1]
)
"""The published version of a graph, without the document: the engine has it parsed already."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a caller says about a new run. `key` makes their repeated request the same run."""

    input: Any = UNSET
    memory: Mapping[str, Any] = field(default_factory=dict)
    goal: str | None = None
    constraints: list[str] | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    budget_usd: Decimal | None = None
    max_token_budget: int | None = None
    draft: bool = False
    version: int | None = None
    until: str | None = None
    """The id of the node after which the run stops."""
    key: str | None = None
    house_key: str | None = None
    """The whole key of a start that this house makes once, which no caller can say."""
    source: str = "person"
    trigger: str | None = None
    starters: Sequence[str] = ()
    """People who count as its starter too: four eyes keep them out as well."""
    session_id: str | None = None
    messages: Sequence[Mapping[str, str]] = ()
    """Earlier messages of a chat, oldest first."""
    chat: bool = False
    trial: Trial = NO_TRIAL

    def fingerprint(self, graph_id: str) -> str:
        """Return a hash of everything asked, to tell a repetition from another request."""
        return digest(
            {
                "graph": graph_id,
                "input": None if self.input is UNSET else [self.input],
                "memory": self.memory,
                "goal": self.goal,
                "constraints": self.constraints,
                "context": self.context,
                "metadata": self.metadata,
                "budget_usd": usd_text_or_none(self.budget_usd),
                "max_token_budget": self.max_token_budget,
                "draft": self.draft,
                "version": self.version,
                "until": self.until,
                **({"trial": self.trial.plain} if self.trial.plain else {}),
                "chat": [self.session_id, list(self.messages)] if self.chat else None,
            }
        )


def start_run(member: Membership, graph: Graph, start: Start) -> str:
    """Start a run and return its id; the same `key` and request return the same run.

    Raises `InvalidInput` (context), `Conflict` `IdempotencyConflict`, `Unprocessable`
    `NotPublished`, `GraphHasErrors` for a draft with errors.
    """
    require(member, Right.RUN)
    _check_context(start.context)
    body_hash = start.fingerprint(graph.pk)
    key = _key_of(member, start)
    if key is not None:
        said = "" if start.house_key else start.key or ""
        known = run_of_key(graph.workspace_id, key, said=said, by=member.user_id)
        if known is not None:
            return _repeated(known, body_hash)
    frozen = (
        freeze_draft(member, graph) if start.draft else Frozen(version_to_run(graph, start.version))
    )
    version = frozen.version
    request = _as_trial(
        graph,
        start,
        version,
        StartRun(
            run_id=str(uuid.uuid4()),
            graph_id=graph.slug,
            graph_hash=version.hash,
            version_id=version.pk,
            workspace_id=graph.workspace_id,
            input=start.input,
            memory=start.memory,
            goal=start.goal,
            constraints=start.constraints,
            context=_context(start),
            metadata=start.metadata,
            budget_usd=start.budget_usd,
            max_token_budget=start.max_token_budget,
            started_by=member.user_id,
            trigger_key=key,
            body_hash=None if key is None else body_hash,
            messages=start.messages,
            chat=start.chat,
            until=start.until,
            people={**people_of(version), **_starters(start)},
            source=start.source,
            trigger=start.trigger,
            unknown_price=str(member.workspace.all_settings["unknown_price"]),
        ),
    )
    run_id = engine_door.engine().start_run(request, frozen.spec)
    if key is not None:
        _repeated(Run.objects.get(pk=run_id), body_hash)
    return run_id


def _key_of(member: Membership, start: Start) -> str | None:
    """Return under which key the run is kept: a caller's own is nobody else's."""
    if start.house_key is not None or start.key is None:
        return start.house_key
    return key_of(API, member.user_id, start.key)


def _as_trial(graph: Graph, start: Start, version: GraphVersion, request: StartRun) -> StartRun:
    if start.trial == NO_TRIAL:
        return request
    published = not version.is_draft
    return as_trial(request, start.trial, graph, version.document, published=published)


def cancel_run(member: Membership, run: Run, *, reason: str | None = None) -> None:
    """End a run. One that has ended stays as it is."""
    require(member, Right.VIEW)
    if run.status in Run.ENDED:
        return
    if not may_cancel(member, run):
        raise NotAllowed("operators cancel runs, authors those they started")
    mailbox.carry_out(mailbox.ask(run.pk, wishes.cancel(member.user_id, reason)))


def retry_run(
    member: Membership,
    run: Run,
    *,
    resend: bool = False,
    version: int | str = "same",
    key: str | None = None,
    source: str | None = "person",
) -> str:
    """Start a new run that goes on at the failed node and return its id.

    `version` is what it runs: the `same` document, the `draft`, or a published version by number.
    A trigger `key` that was used before returns the run it made. `source` is what started it, None
    where the key says that.
    Raises `RequestRefused` `ForkResends` where calls would be sent again without `resend`, and for
    another document what `fork_run` raises, such as `ForkAfterApproval`.
    """
    require(member, Right.RUN)
    if not may_retry(member, run):
        raise Conflict("only a run that ended badly can be retried", code="RunNotRetryable")
    other = _other_version(member, run, version)
    if other is None or other.pk == run.version_id:
        return engine_door.engine().retry_run(
            run.pk, member.user_id, resend=resend, key=key, source=source
        )
    request = ForkRun(
        run_id=str(uuid.uuid4()),
        at=None,
        by=member.user_id,
        version_id=other.pk,
        published=not other.is_draft,
        people=people_of(other),
        resend=resend,
        trigger_key=key,
        source=source,
    )
    return engine_door.engine().fork_run(run.pk, request)


def _other_version(member: Membership, run: Run, version: int | str) -> GraphVersion | None:
    if version == "same":
        return None
    if version == "draft":
        return draft_of(member, run)
    if run.graph is None:
        raise NotFound("the graph of this run is gone", code="GraphNotFound")
    return version_to_run(run.graph, int(version))


def retry_of(run: Run) -> Run | None:
    """Return the run that went on where this one failed; None where none did, or it is gone."""
    if run.number is None:
        return None
    noted = RunFailure.objects.filter(number=run.number).values_list("retried_by", flat=True)
    if (retried_by := noted.first()) is None:
        return None
    return Run.objects.in_workspace(run.workspace_id).filter(pk=retried_by).first()


def draft_differs(run: Run) -> bool:
    """Return whether the graph's draft says something else than what this run ran.

    A version of the draft's revision has its hash; the draft is parsed where there is none.
    """
    if run.graph is None or run.graph.archived_at is not None or run.version is None:
        return False
    same = GraphVersion.objects.filter(graph=run.graph, revision=run.graph.revision)
    known = same.values_list("hash", flat=True).first()
    if known is not None:
        return known != run.version.hash
    spec, _problems = parse_document(document_of(run.graph))
    return spec is None or spec.hash != run.version.hash


@dataclass(frozen=True, slots=True)
class Fork:
    """What a caller says about a fork: see `engine.core.state.requests.ForkRun`. `draft` runs the draft."""

    at: int | str
    memory: Mapping[str, Any] = field(default_factory=dict)
    input: Any = UNSET
    draft: bool = False
    resend: bool = False
    source: str = "person"


def fork_run(member: Membership, run: Run, fork: Fork) -> str:
    """Start a new run that goes on at a point of one that has ended, and return its id.

    Raises `RequestRefused` as `engine.runtime.forks.prefix.forked` and `Forks.fork` do, `GraphHasErrors` for a
    draft with errors, `NotFound` where the graph of the draft is gone.
    """
    require(member, Right.RUN)
    version = draft_of(member, run) if fork.draft else None
    request = ForkRun(
        run_id=str(uuid.uuid4()),
        at=fork.at,
        by=member.user_id,
        memory=fork.memory,
        input=fork.input,
        version_id=None if version is None else version.pk,
        people={} if version is None else people_of(version),
        resend=fork.resend,
        source=fork.source,
    )
    return engine_door.engine().fork_run(run.pk, request)


def draft_of(member: Membership, run: Run) -> GraphVersion:
    """Return the draft of a run's graph as it is now. Raises `NotFound`, `GraphHasErrors`."""
    if run.graph is None or run.graph.archived_at is not None:
        raise NotFound("the graph of this run is gone", code="GraphNotFound")
    return freeze_draft(member, run.graph).version


def version_to_run(graph: Graph, number: int | None) -> GraphVersion:
    """Return the published version with `number`, or the latest. Raises if there is none."""
    versions = GraphVersion.objects.filter(graph=graph).published()
    found = LATEST.first(graph.pk) if number is None else versions.filter(number=number).first()
    if found is not None:
        return found
    if number is None:
        raise Unprocessable(
            "nothing is published yet: publish, or run the draft", code="NotPublished"
        )
    raise NotFound("no such version", code="VersionNotFound")


def people_of(version: GraphVersion) -> dict[str, list[str]]:
    """Return who published and edited what runs, for four-eyes rules."""
    publisher = [] if version.published_by_id is None else [str(version.published_by_id)]
    return {"publisher": publisher, "editor": [str(editor) for editor in version.editors]}


def _starters(start: Start) -> dict[str, list[str]]:
    return {"starter": list(start.starters)} if start.starters else {}


def _context(start: Start) -> dict[str, Any]:
    """Return the caller's context with the session that it named."""
    own = {} if start.session_id is None else {"session_id": start.session_id}
    return {**start.context, **own}


def _repeated(run: Run, body_hash: str) -> str:
    if run.body_hash is not None and run.body_hash != body_hash:
        raise Conflict(
            "this Idempotency-Key came with another request before: give each request a key of its"
            " own",
            code="IdempotencyConflict",
            extra={"run": run.pk},
        )
    return run.pk


def _check_context(context: Mapping[str, Any]) -> None:
    taken = sorted(ENGINE_CONTEXT & set(context))
    if taken:
        message = "the engine sets this key itself"
        raise InvalidInput(
            f"context may not hold {', '.join(taken)}: {message}",
            problems=[problem("InputInvalid", f"context.{key}", message) for key in taken],
        )
