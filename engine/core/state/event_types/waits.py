"""Events of waiting: for people and what they say, for children, child runs and timers."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from engine.core.state.event_types.forms import (
    EditedKey,
    Error,
    OfActivation,
    OfEither,
    QuorumRule,
    Value,
    WantedChild,
)
from engine.core.values.json import FrozenDict

InterruptKind: TypeAlias = Literal[
    "approval", "text", "choice", "multi-choice", "form", "budget", "in_doubt", "breakpoint"
]


class Asked(TypedDict):
    """What an interrupt is opened with beside its request."""

    request_hash: str
    """The hash of the request: a replay that asks for something else is refused."""
    content_hash: NotRequired[str]
    """Of an approval: the hash of what is reviewed."""
    review_keys: NotRequired[list[str]]
    """Of an approval: the keys of memory that are reviewed."""
    eligible: NotRequired[list[str]]
    """Of an approval: who may decide, expressions computed; absent: by role."""
    quorum: NotRequired[Annotated[FrozenDict, QuorumRule]]
    """Of an approval: whose decisions it takes; absent: one is enough."""


class InterruptOpened(Asked, OfActivation):
    """A question to people is open."""

    request_id: str
    """The interrupt."""
    kind: InterruptKind
    """What is asked for."""
    request: FrozenDict
    """The question as it is shown; options of a choice come without their values."""
    path: str
    """The step that waits for it."""
    expires_at: NotRequired[int]
    """When it expires, in milliseconds since the epoch."""


class Changed(TypedDict, total=False):
    """What approvers changed of what they reviewed."""

    edits: FrozenDict
    """All edits so far: keys and their new values."""
    content_hash: str | None
    """The hash of what was decided on, edits included."""
    changes: Annotated[list[EditedKey], "may be set apart"]
    """Every change so far, the oldest first, at most eight of a key."""
    prompt: str
    """The message written anew over the edits."""


class Said(TypedDict, total=False):
    """What a person said with a decision."""

    comment: str
    """Their comment."""
    via: str
    """The door: `page`, `token` or `chat`."""
    stands_for: str
    """The absent person in whose place it was said."""


class Covered(TypedDict, total=False):
    """What an approval covers."""

    reviewed: FrozenDict
    """Of an approval: the digest of each key that it covers."""
    approval: str
    """Of an approval: its name, else its activation."""


class Resolution(Changed, Said, Covered):
    """How an interrupt ended."""

    told: NotRequired[str]
    """Of a call of an agent that was refused: what the agent reads in place of its result."""

    outcome: Literal["answered", "expired", "cancelled", "superseded"]
    """How it ended."""
    answer: NotRequired[Value]
    """The answer that the node gets."""
    given: NotRequired[Value]
    """The answer as it was sent, where the values of options differ."""
    decision: NotRequired[str]
    """Of an approval, a budget or a doubt: what was decided."""
    by: NotRequired[str]
    """Who decided."""


class InterruptResolved(Resolution, OfActivation):
    """A question to people is closed, once."""

    request_id: str
    """The interrupt."""


Decision: TypeAlias = Literal["approved", "rejected"]


class DecisionRecorded(Changed, Said, OfActivation):
    """One person decided on an approval that needs several."""

    request_id: str
    """The interrupt."""
    by: str
    """Who decided."""
    decision: Decision
    """What they decided."""
    fills: list[int] | None
    """The seats that they can fill, by number; null: any."""
    cli: NotRequired[bool]
    """Whether it was said on a command line, where nobody is known by name."""


DropReason: TypeAlias = Literal["content_changed", "not_eligible"]


class DecisionDropped(OfActivation):
    """A decision counts no more."""

    request_id: str
    """The interrupt."""
    by: str
    """Whose it was."""
    reason: DropReason
    """Why."""
    decision: str
    """What they had said."""
    decided: int
    """The event with which they had said it."""
    content_hash: NotRequired[str | None]
    """The hash of what it was about."""


class InterruptReminded(OfActivation):
    """People are reminded of an approval."""

    request_id: str
    """The interrupt."""
    number: int
    """The latest of the policy's reminders that was due, from 1."""


class InterruptEscalated(OfActivation):
    """More people may decide on an approval from now on."""

    request_id: str
    """The interrupt."""
    to: list[str]
    """Who, expressions computed."""


class ChildrenRequested(OfActivation):
    """An activation asks for nodes to be run below it."""

    path: str
    """The step that waits for them."""
    attempt: int
    """The attempt that asks."""
    children: list[WantedChild]
    """The nodes, in order."""
    max_concurrency: int
    """How many run at the same time."""
    fail_fast: bool
    """Whether the first failure ends the others."""
    isolated: bool
    """Whether their writes stay with them."""
    request_hash: str
    """The hash of what was asked for."""
    kept: NotRequired[list[int]]
    """Those that completed in an earlier attempt, by index: their results stand."""
    writes: NotRequired[FrozenDict]
    """What lands in memory before they start."""


class ChildRunRequested(OfActivation):
    """An activation asks for a run of another workflow."""

    path: str
    """The step that waits for it."""
    attempt: int
    """The attempt that asks."""
    run_id: str
    """The child run."""
    graph_id: str
    """Its workflow."""
    input: Value
    """Its input."""
    memory: Value
    """The memory that it begins with."""
    request_hash: str
    """The hash of what was asked for."""
    max_iterations: int | None
    """A limit of its own."""


class ChildRunWaiting(OfActivation):
    """A child run waits for people, or no longer does."""

    run_id: str
    """The child run."""
    waiting: bool
    """Whether it waits."""


class ChildRunEnded(OfActivation):
    """A child run is over."""

    path: str
    """The step that waited for it."""
    run_id: str
    """The child run."""
    status: str
    """As what it ended, or `refused`: it could not be started."""
    result: Value
    """Its result."""
    memory: Value
    """What its nodes wrote."""
    error: Error | None
    """Why it failed."""
    tokens: int | None
    """Tokens it spent."""
    cost_usd: str | None
    """USD it spent, as decimal text."""
    handed_over: bool | None
    """Whether a run that it handed over to spends on."""
    effected: NotRequired[bool]
    """Whether it sent calls that must not be made twice."""
    compensations: NotRequired[list[Value]]
    """The undos that it leaves."""


class TimerFired(OfEither):
    """A timer is over."""

    timer: str
    """The timer."""
    kind: str
    """`sleep`, `timeout` or `ending`."""
    path: NotRequired[str]
    """Of a sleep: the step that waits."""
