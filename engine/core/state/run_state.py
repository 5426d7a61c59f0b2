"""The state of a run: what folding its log gives.

Values inside are frozen JSON, shared and never copied; the containers here belong to one owner and
are changed in place by `engine.core.state.fold.run` only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.state.event_types.runs import EndStatus
from engine.core.values.json import EMPTY, FrozenDict

if TYPE_CHECKING:
    from engine.core.graph.tokens import Ready, Token, TokenBoard
    from engine.core.node_types.view import View
    from engine.core.state.program import Program

ZERO = Decimal(0)
CODE_DIGITS: Final = 8
"""Hexadecimal digits that tell one code of a node type from the next."""


class TokenPayload(NamedTuple):
    """What a token brings along its edge: who sent it, its output, the metadata that flows, and
    the approvals that stand above it (`lineage`, activation keys).
    """

    source: str | None
    output: Any
    metadata: FrozenDict = EMPTY
    lineage: frozenset[str] = frozenset()


@dataclass(slots=True)
class Step:
    """One journaled call of an activation. `status`: intended, done, failed or waiting."""

    path: str
    attempt: int
    kind: str
    hash: str
    status: str
    effect: EffectClass = EffectClass.READ
    result: Any = None
    error: dict[str, Any] | None = None
    hold: str | None = None
    epoch: int = 0
    request_id: str | None = None
    described: dict[str, Any] = field(default_factory=dict)
    """What people are shown of the call: tool and arguments, or method, address and body."""
    sent_at: int = 0
    """When it was about to be sent, in milliseconds since the epoch."""
    seq: int = 0
    """The place in the log of the intent: who sent an earlier one says nothing of this one."""


@dataclass(slots=True)
class ChildGroup:
    """The children one step asked for; `results` in item order, None while open."""

    path: str
    children: list[dict[str, Any]]
    max_concurrency: int
    fail_fast: bool
    isolated: bool
    results: list[dict[str, Any] | None]
    next: int = 0
    running: int = 0
    done: int = 0
    failed: bool = False

    def pass_over(self) -> None:
        """Move `next` to the first child from there on that has no result yet."""
        while self.next < len(self.children) and self.results[self.next] is not None:
            self.next += 1

    @property
    def has_unstarted_children(self) -> bool:
        """Whether there are children still to be started."""
        return self.next < len(self.children) and not (self.fail_fast and self.failed)

    @property
    def finished(self) -> bool:
        """Whether the parent can go on: all done, or failing fast with nobody running."""
        return self.done == len(self.children) or (
            self.fail_fast and self.failed and self.running == 0
        )


@dataclass(slots=True)
class Activation:
    """One live execution of one node. `waiting_on`: interrupt, children, timer, run or None."""

    key: str
    node: str
    visit: int
    status: str = "queued"
    waiting_on: str | None = None
    attempt: int = 0
    epoch: int = 0
    takeovers: int = 0
    tokens: list[Token] = field(default_factory=list)
    parent: str | None = None
    parent_path: str | None = None
    index: int | None = None
    item: Any = None
    handoff: bool = False
    """Whether an agent of a swarm handed over to this child; `item` says who, and why."""
    isolated: bool = False
    previous: Any = None
    metadata: FrozenDict = field(default_factory=FrozenDict)
    lineage: frozenset[str] = frozenset()
    approved: bool = False
    steps: dict[tuple[int, str], Step] = field(default_factory=dict)
    groups: dict[str, ChildGroup] = field(default_factory=dict)
    view: View | None = None
    view_seq: int = 0
    looks: dict[tuple[int, str], View] = field(default_factory=dict)
    """Later views by the step that took them; like `view` derived, never part of the fold."""
    node_state: dict[str, Any] = field(default_factory=dict)
    """The node's small state as this attempt found it: every replay starts from it again."""
    workflow_state: dict[str, Any] = field(default_factory=dict)
    started_at: int = 0
    active_since: int = 0
    active_ms: int = 0
    clock: bool = False
    """Whether its `timeout_ms` runs while it waits for what it runs: `engine.core.decide.clocks.composite_timeouts`."""
    effected: bool = False
    """Whether below it a call that is made once was made by what then failed or was cancelled."""
    expired: bool = False
    """Whether that has run out: the attempt fails once nothing below it is left."""
    retry_at: int | None = None
    waits_for: str | None = None
    """What the next attempt waits for beside its back-off: `server` or `retry_after`."""
    away: int = 0
    """Attempts that do not count: `engine.core.state.patience`."""
    away_tries: int = 0
    away_since: int | None = None
    slowed_tries: int = 0
    slowed_since: int | None = None
    rejected_answer: bool = False
    undoes: Compensation | None = None
    """The undo that this activation makes; it runs while the run ends."""
    rerun_requested: bool = False
    """A wait ended while the code ran: it must run once more when it suspends."""
    code: str = ""

    @property
    def base(self) -> str:
        """The key without visit number: `worker[0]`, the place of node state and of `path`."""
        return self.key.rsplit("/", 1)[-1].rsplit("#", 1)[0]

    @property
    def hungry_groups(self) -> list[ChildGroup]:
        """What this attempt asked for and is still to be started."""
        mine = (group for group in self.groups.values() if group.has_unstarted_children)
        return [group for group in mine if (self.attempt, group.path) in self.steps]

    @property
    def busy(self) -> bool:
        """Whether the engine, not a person, is what this activation waits for."""
        return self.status in ("queued", "running", "retrying") and self.waiting_on != "children"


@dataclass(frozen=True, slots=True)
class AskedBack:
    """A question back that waits: `left` are milliseconds of each timer that it stopped."""

    by: str
    to: str
    question: str
    at: int
    seq: int
    until: int
    left: Mapping[str, int]


@dataclass(slots=True)
class OpenInterrupt:
    """A pause that waits for an answer."""

    request_id: str
    key: str
    path: str
    kind: str
    request: FrozenDict
    opened_at: int
    expires_at: int | None = None
    content_hash: str | None = None
    review_keys: tuple[str, ...] = ()
    seq: int = 0
    slice_hash: str | None = None
    """The content hash as it was opened; `content_hash` follows what approvers edit."""
    eligible: tuple[str, ...] | None = None
    """Who may decide an approval, expressions computed; None: by role."""
    rule: str = "any"
    seats: tuple[str, ...] = ()
    """Places to be filled by people who approve; empty where one decision is the answer."""
    escalated: tuple[str, ...] = ()
    decisions: dict[str, FrozenDict] = field(default_factory=dict)
    """What people said so far, by person: `{decision, at, seq, fills, comment?, cli?}`."""
    edits: FrozenDict = field(default_factory=FrozenDict)
    """What approvers changed of the reviewed slice; who approves later approves that."""
    changes: tuple[FrozenDict, ...] = ()
    """Who changed which key from what to what, the oldest first: `engine.core.people.edits`."""
    prompt: str | None = None
    """The message written anew over the edits; None as long as it is as it was opened."""
    reminded: int = 0
    asked_back: AskedBack | None = None
    """The question to the starter or an author that stops its clock now; `expires_at` is None then."""
    asked_times: int = 0
    stopped_ms: int = 0
    """How long its clock has stood still, without what stops it now."""
    last_reply: FrozenDict = field(default_factory=FrozenDict)
    """How the latest question back ended: the event's data."""


@dataclass(slots=True)
class NodeSpend:
    """What a node has cost in this run, failed attempts included."""

    tokens: int = 0
    usd: Decimal = ZERO
    attempts: int = 0


@dataclass(slots=True)
class LiveHold:
    """Money set aside for a call in flight; `described` says by which agent, of which model."""

    key: str
    tokens: int
    usd: Decimal
    described: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Ending:
    """How the run will end, decided but not yet over. `status`: as the run's."""

    status: EndStatus
    reason: str
    error: FrozenDict | None
    by: str | None
    since: int


@dataclass(slots=True)
class Compensation:
    """An undo that is owed if the run fails: `request` is `{type, tool, request, timeout_ms}`."""

    key: str
    node: str
    request: FrozenDict
    metadata: FrozenDict = field(default_factory=FrozenDict)

    @property
    def tool(self) -> str:
        """What is called, as people are shown it."""
        return str(self.request["tool"])

    def to_json(self) -> FrozenDict:
        """Return the form in which a child run hands its undos on."""
        fields = ("key", "node", "request", "metadata")
        return FrozenDict({name: getattr(self, name) for name in fields})


@dataclass(slots=True)
class RunState:
    """Everything that decides what a run does next, and what its nodes may read."""

    program: Program
    board: TokenBoard
    run_id: str = ""
    seq: int = 0
    status: str = "queued"
    terminal: bool = False
    """Whether nothing changes any more."""
    started: FrozenDict = field(default_factory=FrozenDict)
    goal: str = ""
    constraints: list[Any] = field(default_factory=list)
    has_input: bool = False
    input: Any = None
    context: FrozenDict = field(default_factory=FrozenDict)
    start_metadata: FrozenDict = field(default_factory=FrozenDict)
    memory: dict[str, Any] = field(default_factory=dict)
    writers: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    fits: dict[str, Any] = field(default_factory=dict)
    """Lists that came through the write gate, so that only what is appended is checked again."""
    outputs: dict[str, Any] = field(default_factory=dict)
    metadata: FrozenDict = field(default_factory=FrozenDict)
    routing: dict[str, Any] = field(default_factory=dict)
    messages: list[dict[str, Any]] = field(default_factory=list)
    structured: FrozenDict = field(default_factory=FrozenDict)
    runtime: FrozenDict = field(default_factory=FrozenDict)
    node_state: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Like `workflow_state` replaced as a whole by a change, never changed in place."""
    workflow_state: dict[str, Any] = field(default_factory=dict)
    activations: dict[str, Activation] = field(default_factory=dict)
    busy: int = 0
    runnable: deque[str] = field(default_factory=deque)
    """Activations whose status is queued, in the order in which they became so."""
    ready: deque[Ready] = field(default_factory=deque)
    """Released by the board, not yet started: derived, never part of the fold."""
    with_unstarted_children: set[str] = field(default_factory=set)
    """Suspended parents that may start more children."""
    visits: dict[str, int] = field(default_factory=dict)
    iterations: int = 0
    weight: int = 0
    """About how many bytes of values its events hold."""
    interrupts: dict[str, OpenInterrupt] = field(default_factory=dict)
    resolved: dict[str, dict[str, Any]] = field(default_factory=dict)
    stepping: bool = False
    """Whether the run stands before each node that it comes to, as its starter asked."""
    approvals: dict[str, dict[str, str]] = field(default_factory=dict)
    allowed_calls: set[tuple[str, str, str]] = field(default_factory=set)
    """Of what calls of agents people have approved one: agent, tool, hash of its definition."""
    timers: dict[str, tuple[int, str | None]] = field(default_factory=dict)
    holds: dict[str, LiveHold] = field(default_factory=dict)
    spend: dict[str, NodeSpend] = field(default_factory=dict)
    spent_tokens: int = 0
    spent_usd: Decimal = ZERO
    held_tokens: int = 0
    held_usd: Decimal = ZERO
    thresholds: set[tuple[str, int]] = field(default_factory=set)
    raised: dict[str, tuple[Decimal, int]] = field(default_factory=dict)
    agents: dict[str, FrozenDict] = field(default_factory=dict)
    breakers: dict[str, FrozenDict] = field(default_factory=dict)
    child_runs: dict[str, tuple[str, str]] = field(default_factory=dict)
    compensations: list[Compensation] = field(default_factory=list)
    undone: int = 0
    effected: bool = False
    """Whether a call that is made once was sent, here or in a run below."""
    handed_over: bool = False
    """Whether a run that follows this one, or one below it, still spends from its budgets."""
    transitioned: bool = False
    """Whether a node of this very run handed over."""
    written: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Who wrote a memory key last, and at which seq."""
    waiting_announced: bool = False
    """Whether the parent run was last told that this one waits: derived, never part of the fold."""
    ending: Ending | None = None
    error: dict[str, Any] | None = None
    result: Any = None
    last_output: Any = None
    last_key: str = ""
    """The activation that left `last_output`."""
    output_result: Any = None
    output_key: str = ""
    has_output_result: bool = False
    causes: set[str] = field(default_factory=set)
    at: int = 0
    """When the last event was."""
    started_at: int = 0
    ended_at: int | None = None
    executing_ms: int = 0
    executing_since: int | None = None
    dirty: set[str] = field(default_factory=set)

    @property
    def moves(self) -> bool:
        """Whether it may go on: it is not over, and does not wait for a place."""
        return not self.terminal and self.status != "queued"

    @property
    def is_idle(self) -> bool:
        """Whether only people move it on: it is over, waits, or an undo of it is in doubt."""
        if self.status != "ending":
            return self.terminal or self.status == "waiting"
        live = self.activations.values()
        return bool(live) and all(act.status == "in_doubt" for act in live)

    @property
    def only(self) -> str | None:
        """The one node that the run tries: it leads nowhere, and causes nothing in other runs."""
        only: str | None = self.started.get("only")
        return only

    def limit(self, name: str) -> Any:
        """Return a limit of the run as it was started with."""
        return self.started["limits"].get(name)


def output_of_child(ended: Mapping[str, Any]) -> Any:
    """Return the output of a child that is done. Raises `NodeError` `ChildFailed` (row C77)."""
    if ended["status"] in ("completed", "skipped"):
        return ended["output"]
    error = ended.get("error") or {}
    code = error.get("code", "Cancelled")
    message = f"node {ended.get('node')!r} failed: {code}: {error.get('message', '')}"
    raise NodeError(
        "ChildFailed", message, detail={"node": ended.get("node"), "error": dict(error)}
    )
