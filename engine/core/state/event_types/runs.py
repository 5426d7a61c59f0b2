"""Events of a run as a whole: how it begins and ends, its money, what people change of it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias

from engine.core.state.event_types.forms import (
    Error,
    ForkedFrom,
    Limits,
    OfActivation,
    OfRun,
    Parent,
    Value,
)
from engine.core.values.json import FrozenDict


class RunStarted(OfRun):
    """The run begins: everything it was asked for, checked."""

    graph_id: str
    """The workflow."""
    graph_hash: str
    """The hash of the document that it runs."""
    version_id: str | None
    """The published version, null for a draft or a file."""
    workspace_id: str | None
    """Whose it is, null outside a workspace."""
    goal: str
    """The goal, its own or the document's."""
    constraints: list[Value]
    """The constraints, its own or the document's."""
    input: NotRequired[Value]
    """What it was given; absent where it was given nothing."""
    memory: FrozenDict
    """The memory that it begins with."""
    context: FrozenDict
    """Facts around the run that expressions may read."""
    metadata: FrozenDict
    """Texts that flow along the edges."""
    limits: Limits
    """What it may use."""
    started_by: Value
    """Who started it, null where nobody is known."""
    trigger: NotRequired[str]
    """The stored trigger that started it."""
    unknown_price: str | None
    """What a call of a model without a known price is treated as; null: as the installation says."""
    people: FrozenDict
    """The people of each role."""
    parent: Parent | None
    """The run that started it, null for a run of its own."""
    forked_from: NotRequired[ForkedFrom | None]
    """Where it was forked."""
    messages: list[Value]
    """The conversation so far."""
    chat: NotRequired[bool]
    """Whether a result without a message becomes one."""
    until: NotRequired[str]
    """The node after which nothing more is started."""
    only: NotRequired[str]
    """Of a test run: the one node that is run."""
    given: NotRequired[FrozenDict]
    """With `only`: `{outputs, previous}` that the node finds."""
    pins: NotRequired[FrozenDict]
    """Of a test run: what stands in for nodes, by id: `{output, writes?, results?, …}`."""
    breakpoints: NotRequired[list[str]]
    """Of a test run: the nodes before which it stands until its starter goes on."""
    retry: NotRequired[bool]
    """Whether it goes on for a run that failed."""


class RunQueued(OfRun):
    """As many runs of its workspace move as may: it stands until one of their places is free."""


class RunAdmitted(OfRun):
    """It has a place among the runs of its workspace, and moves."""


EndStatus: TypeAlias = Literal["failed", "timeout", "cancelled", "completed"]


class RunEnding(OfRun):
    """The end is decided: nothing new is started, what is in hand may finish."""

    status: EndStatus
    """As what it will end; completed where it was to stop."""
    reason: str
    """A word for why: `failed`, `rejected`, `timeout`, `cancelled`, `until`, …"""
    error: Error | None
    """The error that ends it."""
    grace_until: int
    """Until when what is in hand may finish, in milliseconds since the epoch."""
    by: NotRequired[str | None]
    """Who ended it."""


class RunCompleted(OfRun):
    """The run is over and has a result."""

    result: Value
    """The result."""
    until: NotRequired[str]
    """The node after which it stopped, as was asked."""


class RunFailed(OfRun):
    """The run is over: something failed for good."""

    reason: str
    """As in `RunEnding`."""
    error: Error | None
    """As in `RunEnding`."""


class RunTimedOut(OfRun):
    """The run is over: its time had passed."""

    reason: str
    """As in `RunEnding`."""
    error: Error | None
    """As in `RunEnding`."""


class RunCancelled(OfRun):
    """The run is over: somebody cancelled it."""

    reason: str
    """As in `RunEnding`."""
    by: str | None
    """Who cancelled it."""


class RunTransitioned(OfActivation):
    """A node handed over to another workflow: a run of that goes on."""

    graph_id: str
    """The other workflow."""
    run_id: str
    """The run that goes on."""
    payload: FrozenDict
    """What it is given."""


class BudgetThresholdReached(OfRun):
    """Spending has passed a part of a budget; said once for each."""

    budget: str
    """The budget, with its period where it has one: `workspace:<id>:2026-11-22`."""
    level: str
    """Whose it is: `run`, `graph` or `workspace`."""
    threshold: int
    """Percent: 50, 75, 90 or 100."""
    spent_usd: str
    """USD spent, as decimal text."""
    limit_usd: str | None
    """The limit in USD, as decimal text."""
    spent_tokens: int
    """Tokens spent."""
    limit_tokens: int | None
    """The limit in tokens."""


class BudgetRaised(OfActivation):
    """A person allowed more, as the answer to a question about a budget."""

    budget: str
    """`run:<run>`, `node:<run>:<key>`, `graph:<id>:<period>`, …"""
    add_usd: str
    """USD more, as decimal text."""
    add_tokens: int
    """Tokens more."""
    by: str
    """Who raised it."""


class AgentPinned(OfRun):
    """An agent was used for the first time: the run keeps it as it is to its end."""

    agent_id: str
    """The agent."""
    definition: FrozenDict
    """The agent as it is used."""


class MemoryEdited(OfRun):
    """A person changed memory where the run was forked."""

    set: FrozenDict
    """Keys and their new values."""
    removed: list[str]
    """Keys that are gone."""
    by: str | None
    """Who changed it."""


class JoinForced(OfRun):
    """A join runs without branches that wait for each other."""

    node: str
    """The node."""
    waiting: int
    """How many tokens it has."""
