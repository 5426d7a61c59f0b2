"""What callers ask of the engine: a start, an answer, in whose name."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from engine.core.node_types.node_type import UNSET


@dataclass(frozen=True, slots=True)
class ParentRun:
    """Where a child run hangs: the activation and step of the run that asked for it.

    `budgets` are the ids of every ancestor's budget that the child's calls are held on too;
    `graphs` the ids of the graphs around it, outermost first, `charged` those whose shared budgets
    it spends from. `transitions` counts those that led here, also to the runs around.
    """

    run_id: str
    key: str
    path: str
    budgets: tuple[dict[str, Any], ...] = ()
    graphs: tuple[str, ...] = ()
    kind: Literal["subgraph", "transition"] = "subgraph"
    depth: int = 1
    transitions: int = 0
    charged: tuple[str, ...] = ()
    trigger: str | None = None
    """What started the outermost of these runs: its budgets pay too."""


@dataclass(frozen=True, slots=True)
class StartRun:
    """One start. `input` may be any JSON, UNSET when the run is started without one.

    `graph_id` is the graph's slug, `version_id` the stored version it runs (None outside a
    database), `trigger_key` the caller's idempotency key. Money is USD.
    """

    run_id: str
    graph_id: str
    graph_hash: str = ""
    version_id: str | None = None
    workspace_id: str | None = None
    input: Any = UNSET
    memory: Mapping[str, Any] | None = None
    goal: str | None = None
    constraints: Sequence[str] | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    budget_usd: Decimal | None = None
    max_token_budget: int | None = None
    max_iterations: int | None = None
    started_by: str | None = None
    trigger_key: str | None = None
    body_hash: str | None = None
    source: str | None = None
    """What kind of thing started it; None where another run did."""
    trigger: str | None = None
    """The stored trigger that started it."""
    messages: Sequence[Mapping[str, Any]] = ()
    chat: bool = False
    """Whether a person waits for words: a result without a message then becomes one (row K44)."""
    people: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Who published and edited what runs (`publisher`, `editor`): four-eyes rules exclude them."""
    parent: ParentRun | None = None
    until: str | None = None
    """The node after which nothing more is started: the run then ends as completed."""
    only: str | None = None
    """The one node that is run, on `input`, `memory` as it is given, and `given`."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """With `only`: `outputs` of other nodes by id, and what is `previous`."""
    pins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Results by node id that stand in for their nodes: `{output, writes?, results?, …}`."""
    breakpoints: Sequence[str] = ()
    """Nodes before which the run stands until its starter goes on."""
    published: bool = False
    """Whether it is a published version that runs: that cannot be tried out."""
    unknown_price: str | None = None
    """What the workspace does about a model without price: refuse, flat or allow."""


@dataclass(frozen=True, slots=True)
class ForkRun:
    """A run that goes on at a point of another, perhaps with changes.

    `at` is an activation's key or a seq, None for where a retry goes on; `memory` sets whole keys (null removes one), `input`
    replaces the start input, `version_id` names another version of the same graph, whose
    `people` are given. `resend` accepts that calls are sent again. A `trigger_key` that was used
    before returns the run it made. `published` says that the version is: then nothing of a trial
    goes on. With `stale` only what the other version defines otherwise is run, and what builds on
    it; `pins` and `breakpoints` are then those of now.
    """

    run_id: str
    at: int | str | None
    by: str
    memory: Mapping[str, Any] | None = None
    input: Any = UNSET
    version_id: str | None = None
    people: Mapping[str, Sequence[str]] = field(default_factory=dict)
    resend: bool = False
    trigger_key: str | None = None
    published: bool = False
    stale: bool = False
    pins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    breakpoints: Sequence[str] = ()
    source: str | None = None
    """What started it, as of a start."""

    @property
    def changes(self) -> bool:
        """Whether anything differs from the run that was."""
        return bool(self.memory) or self.input is not UNSET or self.version_id is not None


@dataclass(frozen=True, slots=True)
class Actor:
    """Who decides. `cli` is always eligible and subject to no four-eyes.

    `name` is what people read, and several may share it; `login` is theirs alone (an e-mail
    address, any case). `roles` is empty only where nobody knows roles: in a script.
    """

    id: str
    name: str = ""
    kind: Literal["user", "cli"] = "user"
    roles: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    login: str = ""
    via: str = ""
    """The channel by which the decision came (`page`, `token`, `chat`); "" where there is one."""
    stands_for: tuple[Actor, ...] = ()
    """Absent people whose place the actor takes now; whose place those took does not count."""


CLI = Actor("cli", "cli", "cli")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to an interrupt, in any of the accepted shapes (row I6)."""

    token: str
    content_hash: str | None = None
    decision: str | None = None
    comment: str | None = None
    edits: Mapping[str, Any] | None = None
    selected: Any = UNSET
    choice: Any = UNSET
    choices: Any = UNSET
    values: Any = UNSET
    cancel: bool = False
    confirmed: str | None = None
    """What a person typed to say that they mean it; whoever takes the answer judges it."""
    max_cost_usd: Decimal | None = None
    max_tokens: int | None = None
    result: Any = UNSET
    stands_for: str | None = None
    """In whose place it is given: an absent person's id, the actor's own; None leaves it open."""


@dataclass(frozen=True, slots=True)
class Asks:
    """What a reviewer wants to know, and of whom."""

    to: Actor
    question: str


@dataclass(frozen=True, slots=True)
class Supposed:
    """A decision that nobody has made: of which approval, by whom, with which words and edits."""

    request_id: str
    decision: Literal["approved", "rejected"]
    actor: Actor
    comment: str | None = None
    edits: Mapping[str, Any] | None = None


def resume_token(secret: bytes, request_id: str) -> str:
    """Return the single-use token of an interrupt: a keyed MAC, derivable here and never stored."""
    return hmac.new(secret, request_id.encode(), hashlib.sha256).hexdigest()
