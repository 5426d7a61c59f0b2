"""Circuit breakers: a node stops trying a target that keeps failing, in this run and in the next.

    closed → (failure_threshold failed attempts in a row) → open → (timeout_ms) → half_open
    half_open → (success_threshold successes in a row) → closed; one failure → open

They are kept per workspace, graph, node and target, outside of any run. What they decide is in the
runs' logs: `CircuitOpened`, `CircuitClosed`, and attempts that were not made (`CircuitOpen`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from engine.core.errors import NodeError
from engine.core.graph.document import CircuitBreakerPolicy
from engine.core.values.json import digest

if TYPE_CHECKING:
    from engine.core.state.event_types.emit import Emit
    from engine.core.state.program import NodePlan
    from engine.core.state.run_state import Activation, RunState

NOT_COUNTED = frozenset({"VerificationFailed"})
"""Retryable failures of an attempt's own answer: they say nothing about the target (row C26)."""


@dataclass(slots=True)
class Breaker:
    """One breaker and where it stands. `state`: closed, open or half_open; times in ms.

    `probe` is the activation that tries a target in half-open, since `probed_at`. `epoch` counts what
    was decided beyond counting failures; what was counted or decided since somebody wrote it down is
    in `added`, `cleared` and `decided`.
    """

    id: str
    workspace_id: str | None
    graph_id: str
    node: str
    target: str
    state: str = "closed"
    failures: int = 0
    successes: int = 0
    opened_at: int | None = None
    probe: str | None = None
    probed_at: int = 0
    epoch: int = 0
    added: int = 0
    cleared: bool = False
    decided: bool = False

    def admits(self, policy: CircuitBreakerPolicy, holder: str, now: int) -> bool:
        """Return whether an attempt may be made now; in half-open the probe is then `holder`'s.

        A probe that says nothing for `timeout_ms` is given up: its process may be gone.
        """
        if self.state == "closed":
            return True
        if self.state == "open" and now < (self.opened_at or 0) + policy.timeout_ms:
            return False
        taken = self.probe is not None and now < self.probed_at + policy.timeout_ms
        if taken and self.probe != holder:
            return False
        if self.state == "open":
            self.state, self.successes = "half_open", 0
        self.probe, self.probed_at, self.decided = holder, now, True
        return True

    def counts(self, holder: str) -> bool:
        """Return whether the outcome of `holder`'s attempt says something about the circuit now.

        What attempts of before the opening bring home late does not: only the probe's outcome does.
        """
        return self.state == "closed" or (self.state == "half_open" and self.probe == holder)

    def failed(self, policy: CircuitBreakerPolicy, now: int) -> bool:
        """Count a failed attempt; return whether it opened the circuit."""
        self.failures += 1
        self.added += 1
        self.successes, self.probe = 0, None
        if self.state == "closed" and self.failures < policy.failure_threshold:
            return False
        self.state, self.opened_at, self.decided = "open", now, True
        return True

    def succeeded(self, policy: CircuitBreakerPolicy) -> bool:
        """Count a success; return whether it closed the circuit."""
        self.failures, self.added, self.probe, self.cleared = 0, 0, None, True
        if self.state == "closed":
            return False
        self.decided = True
        self.successes += 1
        if self.successes < policy.success_threshold:
            return False
        self.reset()
        return True

    def reset(self) -> None:
        """Close the circuit and forget what was counted."""
        self.state, self.failures, self.successes = "closed", 0, 0
        self.opened_at = self.probe = None
        self.decided = True

    def give_up(self) -> None:
        """Let another activation try the target: what became of this probe says nothing of it."""
        self.probe, self.decided = None, True

    def written(self) -> None:
        """Note that somebody writes down what was counted and decided."""
        self.epoch += self.decided
        self.added, self.cleared, self.decided = 0, False, False


class Breakers(Protocol):
    """The breakers that runs of one process share. Called on the engine's loop, never awaited."""

    def get(self, workspace_id: str | None, graph_id: str, node: str, target: str) -> Breaker:
        """Return the breaker of a node and target, a closed one if it has none yet."""
        ...

    def changed(self, breaker: Breaker) -> None:
        """Hear that a breaker stands otherwise; it becomes durable with the next commit."""
        ...

    def all(self) -> list[Breaker]:
        """Return every breaker that was ever used."""
        ...

    def reset(self, breaker_id: str) -> Breaker | None:
        """Close a breaker by an operator's word and return it; None for an unknown one."""
        ...


@dataclass(slots=True)
class MemoryBreakers:
    """Breakers in a dictionary. `dirty` names those that changed since somebody wrote them down."""

    known: dict[str, Breaker] = field(default_factory=dict)
    dirty: set[str] = field(default_factory=set)

    def get(self, workspace_id: str | None, graph_id: str, node: str, target: str) -> Breaker:
        """Return the breaker of a node and target, a closed one if it has none yet."""
        breaker_id = digest([workspace_id, graph_id, node, target])
        found = self.known.get(breaker_id)
        if found is None:
            found = Breaker(breaker_id, workspace_id, graph_id, node, target)
            self.known[breaker_id] = found
        return found

    def changed(self, breaker: Breaker) -> None:
        """Note that a breaker is to be written down."""
        self.dirty.add(breaker.id)

    def all(self) -> list[Breaker]:
        """Return every breaker, in order of first use."""
        return list(self.known.values())

    def reset(self, breaker_id: str) -> Breaker | None:
        """Close a breaker and return it; None for an unknown one."""
        found = self.known.get(breaker_id)
        if found is not None:
            found.reset()
            self.changed(found)
        return found


class Moment(Protocol):
    """As much of a transition as the breakers need: where a run stands now, and its log."""

    @property
    def state(self) -> RunState: ...

    @property
    def now(self) -> int: ...

    @property
    def breakers(self) -> Breakers: ...

    @property
    def emit(self) -> Emit: ...


def refuse_attempt(tx: Moment, plan: NodePlan, key: str) -> NodeError | None:
    """Return why no attempt of an activation may be made now, None if it may."""
    policy = plan.policy.circuit_breaker
    if not policy.enabled:
        return None
    breaker = _breaker(tx, plan)
    if breaker.admits(policy, _holder(tx.state, key), tx.now):
        if breaker.state != "closed":
            tx.breakers.changed(breaker)
        return None
    return NodeError(
        "CircuitOpen",
        f"the circuit of node {plan.id!r} to {breaker.target!r} is {breaker.state}",
        detail={
            "target": breaker.target,
            "failures": breaker.failures,
            "probe_at": (breaker.opened_at or 0) + policy.timeout_ms,
        },
    )


def attempt_failed(
    tx: Moment, plan: NodePlan, act: Activation, error: NodeError, *, rejected: bool
) -> None:
    """Count a failed attempt against its target, unless the failure is not the target's."""
    policy = plan.policy.circuit_breaker
    if not policy.enabled:
        return
    breaker, holder = _breaker(tx, plan), _holder(tx.state, act.key)
    if not error.retryable or rejected or error.code in NOT_COUNTED:
        if breaker.probe == holder:
            breaker.give_up()
            tx.breakers.changed(breaker)
        return
    if not breaker.counts(holder):
        return
    opened = breaker.failed(policy, tx.now)
    tx.breakers.changed(breaker)
    if opened:
        failures = breaker.failures
        tx.emit("CircuitOpened", act.key, {"target": breaker.target, "failures": failures})


def attempt_succeeded(tx: Moment, plan: NodePlan, act: Activation) -> None:
    """Count a success in favour of the target of a node with a circuit breaker."""
    policy = plan.policy.circuit_breaker
    breaker = _breaker(tx, plan)
    healthy = breaker.state == "closed" and not breaker.failures
    if healthy or not breaker.counts(_holder(tx.state, act.key)):
        return
    closed = breaker.succeeded(policy)
    tx.breakers.changed(breaker)
    if closed:
        tx.emit("CircuitClosed", act.key, {"target": breaker.target})


def _breaker(tx: Moment, plan: NodePlan) -> Breaker:
    started = tx.state.started
    return tx.breakers.get(
        started.get("workspace_id"), started["graph_id"], plan.id, plan.type.target_of(plan.config)
    )


def _holder(state: RunState, key: str) -> str:
    return f"{state.run_id}:{key}"
