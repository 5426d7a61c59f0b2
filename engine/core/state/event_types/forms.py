"""The parts that events share: whom they are about, errors, holds, limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from engine.core.values.json import FrozenDict

Value: TypeAlias = Any
"""Any JSON value, frozen."""


class Recorded(TypedDict):
    """Any event."""

    cause: NotRequired[str]
    """What its transition was made for, on the first event of that: a cause moves a run once."""


class OfRun(Recorded):
    """An event of the run itself: it has no key."""


class OfActivation(Recorded):
    """An event of one activation, named by its key."""


class OfEither(Recorded):
    """An event of an activation or of the run: it may have a key."""


class OfStep(OfActivation):
    """An event of one call that an activation makes."""

    path: str
    """The place of the call in the node's code, the same in every replay."""
    attempt: int
    """The attempt of the activation, from 1."""


class Emitted(OfActivation):
    """Said by a node's code, once: a replay finds it by its path."""

    path: NotRequired[str]
    """The place in the node's code and what was said there; absent where the engine says it."""
    attempt: NotRequired[int]
    """The attempt that said it."""
    request_hash: NotRequired[str]
    """The hash of what was said."""
    kind: NotRequired[Literal["emit"]]
    """How the journal names it."""


class EventError(TypedDict):
    """Why something failed."""

    code: str
    """A stable name: `ProviderUnavailable`, `OutcomeUnknown`, …"""
    message: str
    """What happened, for people."""
    node: NotRequired[str | None]
    """The node where it happened, where that is known."""
    detail: NotRequired[Value]
    """More, by code."""


Error: TypeAlias = Annotated[FrozenDict, EventError]


class RunLimits(TypedDict):
    """What a run may use, null where nothing is set."""

    max_iterations: int
    """Activations of top-level nodes."""
    max_execution_time_ms: int | None
    """Milliseconds, without the time it waits for people."""
    budget_usd: str | None
    """USD, as decimal text."""
    max_token_budget: int | None
    """Tokens, in and out."""


Limits: TypeAlias = Annotated[FrozenDict, RunLimits]


class ParentRef(TypedDict):
    """The run and the call that a run was started by."""

    run_id: str
    """The run."""
    key: str
    """Its activation."""
    path: str
    """The step of that."""
    kind: str
    """`subgraph`, or `transition` for a run that goes on for another."""
    depth: int
    """How many runs are around this one."""
    transitions: int
    """How many handed over before it."""
    budgets: list[Value]
    """What its calls are charged to as well."""
    graphs: list[str]
    """The graphs around it, so that none runs itself."""
    charged: list[str]
    """The graphs whose budgets pay too."""
    trigger: NotRequired[str]
    """The trigger whose budgets pay too: it started the outermost run."""


Parent: TypeAlias = Annotated[FrozenDict, ParentRef]


class SeqRef(TypedDict):
    """A place in the log of a run."""

    run_id: str
    """The run."""
    seq: int
    """The event."""


ForkedFrom: TypeAlias = Annotated[FrozenDict, SeqRef]


class Held(TypedDict):
    """Money and tokens set aside for a call under way."""

    id: str
    """The hold; the outcome of the call names it."""
    tokens: int
    """The most tokens it may take."""
    usd: str
    """The most USD it may cost, as decimal text."""
    budgets: Sequence[str]
    """The budgets it is held on."""


class QuorumRule(TypedDict):
    """What an approval needs where one decision is not enough."""

    rule: str
    """`all` or `at_least`."""
    seats: list[str]
    """Who fills each: `*` anybody eligible, else an entry of the policy or `user:<id>`."""


class WantedChild(TypedDict):
    """One node that a parent asked for."""

    node: str
    """The node."""
    slot: NotRequired[int | None]
    """Its number among the workers."""
    item: NotRequired[Value]
    """What it works on."""
    previous: NotRequired[Value]
    """What it gets as `previous`, where that is not the parent's."""
    handoff: NotRequired[bool]
    """Whether an agent of a swarm handed over to it."""
    graceful: NotRequired[bool]
    """Whether its failure leaves the others be."""


class EditedKey(TypedDict):
    """A change of a reviewed key, recorded with the decision that made it."""

    key: str
    """The key of memory."""
    before: NotRequired[Value]
    """What it held; absent where it was not there."""
    after: NotRequired[Value]
    """What it holds now; absent where it was removed."""
    by: str
    """Who changed it."""
    seq: int
    """The event that recorded it first."""
