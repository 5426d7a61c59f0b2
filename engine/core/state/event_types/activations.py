"""Events of an activation: queued, started, waiting, over; its edges, circuits and its undo."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from engine.core.state.event_types.forms import Emitted, Error, OfActivation, Value
from engine.core.values.json import FrozenDict


class Origin(TypedDict, total=False):
    """Where an activation comes from: tokens, or the place at which a parent asked for it."""

    tokens: list[int]
    """The tokens that it consumes."""
    parent: str
    """The activation that asked for it."""
    path: str
    """The step of the parent."""
    index: int
    """Which of the children that were asked for there."""


class NodeQueued(Origin, OfActivation):
    """An activation begins and is not claimed yet."""

    node: str
    """The node."""


class NodeStarted(Origin, OfActivation):
    """An attempt begins, or a suspended one goes on; the first one begins the activation."""

    attempt: int
    """The number of the attempt, from 1."""
    max_attempts: int
    """How many there may be."""
    epoch: int
    """The lease: who writes under an older one is refused."""
    node_type: str
    """The type of the node."""
    code: str
    """The hash of the type's code."""
    resumed: NotRequired[bool]
    """Whether the attempt goes on after a wait or a crash."""
    takeover: NotRequired[bool]
    """Whether the process that had it is gone."""


class NodeWaiting(OfActivation):
    """The activation suspends; nothing of it stays in a process."""

    on: Literal["interrupt", "children", "timer", "run"]
    """What it waits for."""
    path: str
    """The step that waits."""
    until: NotRequired[int]
    """Of a timer: when it is over, in milliseconds since the epoch."""
    times_out: NotRequired[bool]
    """Of a timer: whether it ends the attempt."""
    request_hash: NotRequired[str]
    """Of a timer: the hash of what was asked for."""


class NodeTimed(OfActivation):
    """The clock of a composite with `timeout_ms` starts or stands still while it waits.

    It stands still where all that the composite runs waits for people.
    """

    until: int | None
    """When it runs out, in milliseconds since the epoch; null where it stands still."""


class NodeCompleted(OfActivation):
    """The activation is over and has a result."""

    output: NotRequired[Value]
    """The output; the log keeps it only where it is not the same as `writes`, the wire has it always."""
    writes: NotRequired[FrozenDict]
    """What lands in memory, merged."""
    results: NotRequired[FrozenDict]
    """Keys of memory of the type's own, replaced whole."""
    is_result: NotRequired[bool]
    """Whether the output is the run's result."""
    edges: list[int]
    """The edges taken, by index."""
    condition: NotRequired[str]
    """The condition that the node named, for its edges."""
    intent: NotRequired[str]
    """The intent that the node named, for its edges."""
    metadata: NotRequired[FrozenDict]
    """Texts that flow on along the edges."""
    infra: NotRequired[Value]
    """Notes for operators."""
    undo: NotRequired[FrozenDict]
    """What undoes it if the run fails: `{type, tool, request, timeout_ms}`."""
    aside: NotRequired[Value]
    """Of a child: for its parent alone."""
    pinned: NotRequired[bool]
    """Whether a pinned result stood in for the node, which was not run."""
    attempts: int
    """How many attempts it took."""
    duration_ms: int
    """Milliseconds since the first."""


class NodeFailed(OfActivation):
    """The activation failed for good."""

    error: Error
    """Why."""
    edges: list[int]
    """The edges taken for failures, by index."""
    attempts: int
    """How many attempts there were."""
    duration_ms: int
    """Milliseconds since the first."""
    results: NotRequired[FrozenDict]
    """What lands in memory with the edges taken: a rejected approval's decision."""


class NodeSkipped(OfActivation):
    """The activation passed on what it got: the node is disabled, or a person skipped it."""

    output: Value
    """What it passed on."""
    edges: list[int]
    """The edges taken, by index."""


class NodeCancelled(OfActivation):
    """The activation is over because nobody needs it any more."""


class NodeInDoubt(OfActivation):
    """The activation is parked until a person says what happened."""

    reason: str
    """`unknown_outcome`, `code_changed`, `missing_type` or `poison`."""
    path: str
    """The step in doubt."""
    request_id: str
    """The interrupt that asks."""


class NextAttempt(TypedDict):
    """Which attempt failed, and when the next one is due."""

    attempt: int
    """Its number."""
    max_attempts: int
    """How many there may be."""
    retry_at: int
    """When the next one is due, in milliseconds since the epoch."""
    waits_for: NotRequired[Literal["server", "retry_after"]]
    """What it waits for beside its back-off."""
    uncounted: NotRequired[bool]
    """Whether the provider said when to ask again, so that the failed attempt does not count."""


class AttemptFailed(NextAttempt, OfActivation):
    """An attempt failed and another one will follow."""

    error: Error
    """Why it failed."""
    rejected_answer: NotRequired[bool]
    """Whether its own answer was refused, so that its models are asked anew."""


class EdgeEvaluated(OfActivation):
    """The condition of an edge was looked at; the activation is the source's."""

    edge: int
    """The edge, by index."""
    source: str
    """The node that it leaves."""
    target: str
    """The node that it leads to."""
    expression: str
    """The condition."""
    value: bool
    """Whether it holds."""
    missing: NotRequired[bool]
    """Whether it read something that is not there."""


class WriteDropped(Emitted):
    """A write that is not allowed was left out."""

    keys: list[str]
    """The keys of memory."""
    reason: str
    """Why."""
    count: NotRequired[int]
    """How many, where not all are named."""


class WritesCollided(OfActivation):
    """A key was written that another activation wrote since this one started."""

    memory_key: str
    """The key of memory."""
    other: str
    """The other activation."""


class CompensationStarted(OfActivation):
    """An undo of a completed activation begins, or goes on; its key is the undo's own."""

    node: str
    """The node that is undone."""
    tool: str
    """What is called."""
    epoch: int
    """The lease."""
    takeover: bool
    """Whether the process that had it is gone."""


class CompensationRun(OfActivation):
    """An undo is over."""

    node: str
    """The node that was undone."""
    tool: str
    """What was called."""
    ok: bool
    """Whether it worked."""
    result: NotRequired[Value]
    """What the call returned."""
    error: NotRequired[Error]
    """Why it did not work."""


class CircuitOpened(OfActivation):
    """A target failed so often that nobody calls it for a while."""

    target: str
    """The model, tool or address."""
    failures: int
    """How often it failed in a row."""


class CircuitClosed(OfActivation):
    """A target works again."""

    target: str
    """The model, tool or address."""
