"""Reminders and escalations that are set for when the time to decide is over: they never come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.check.subject import NodeSubject, Subject
from engine.core.graph.call_asks import CallAsk
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.document import AgentSpec
from engine.core.graph.problems import Location, Problem
from engine.core.values.effort import charge

CODE: Final = "AfterDeadline"
DAY_MS: Final = 86_400_000
LONGEST_MS: Final = 366 * DAY_MS
UNITS: Final = (
    ("day", DAY_MS),
    ("hour", 3_600_000),
    ("minute", 60_000),
    ("second", 1_000),
    ("millisecond", 1),
)


@dataclass(frozen=True, slots=True)
class Late:
    """What never comes: its field, why, and what mends it, as values of fields of the policy.

    `until` is how long people need to have so that it does, in milliseconds; None: too long.
    """

    field: str
    message: str
    label: str
    rest: object
    until: int | None


def find(subject: Subject) -> Iterator[Problem]:
    """Yield what approvals and rules of agents set for after their deadline."""
    for node in subject.nodes:
        policy = getattr(node.config, "policy", None)
        if node.is_gate and policy is not None and not node.spec.disabled:
            yield from _of_approval(node, policy.model_dump(mode="json"))
    for index, agent in enumerate(subject.spec.agents):
        for name, late in _of_agent(agent):
            place: Location = ("agents", index, "ask", name)
            path = f"agents[{index}].ask.{name}.{late.field}"
            message = f'Before "{name}" is called: {late.message}'
            said = Problem.of(CODE, path, message)
            yield said.mended(message, *_cures("graph", "", place, place, late))
    for node in subject.nodes:
        for found, agent_id, used in subject.agents_of(node):
            if used is not None and used is not subject.spec.agents_by_id.get(agent_id):
                for name, late in _of_agent(used):
                    message = f'Agent "{agent_id}", before "{name}" is called: {late.message}'
                    yield Problem.of(CODE, found.path, message, node=node.id)


def _of_approval(node: NodeSubject, policy: Mapping[str, Any]) -> Iterator[Problem]:
    for late in late_in(policy, getattr(node.config, "timeout_ms", None)):
        said = node.problem(CODE, f"config.policy.{late.field}", late.message)
        cures = _cures("node", node.id, ("config", "policy"), ("config",), late)
        yield said.mended(f"{node.label}: {late.message}", *cures)


def _of_agent(agent: AgentSpec) -> Iterator[tuple[str, Late]]:
    for name, rule in agent.ask.items():
        for late in _of_rule(rule):
            yield name, late


def _of_rule(rule: CallAsk) -> Iterator[Late]:
    if rule.when != "never":
        yield from late_in(rule.model_dump(mode="json"), rule.timeout_ms)


def late_in(policy: Mapping[str, Any], timeout_ms: int | None) -> Iterator[Late]:
    """Yield what of a policy never comes; without a deadline all of it does."""
    if timeout_ms is None:
        return
    reminders: Sequence[int] = policy["reminders"]
    charge(1 + len(reminders))
    late = [after for after in reminders if after >= timeout_ms]
    over = f"the time to decide is over after {spelled(timeout_ms)}"
    if late:
        rest = [after for after in reminders if after < timeout_ms] or None
        what, out = f"A reminder after {spelled(late[0])} never comes", "Leave that reminder out"
        if len(late) > 1:
            what, out = f"{len(late)} reminders never come", "Leave those reminders out"
        message = f"{what}, as {over}: remind earlier, or allow more time."
        yield Late("reminders", message, out, rest, _longer(max(late)))
    escalation = policy["escalation"]
    if escalation and escalation["after_ms"] >= timeout_ms:
        after = escalation["after_ms"]
        message = (
            f"Others are to be asked after {spelled(after)} and never are, as {over}:"
            " ask them earlier, or allow more time."
        )
        yield Late("escalation", message, "Ask no others later", None, _longer(after))


def _longer(after: int) -> int | None:
    """Return a time to decide in which something comes with a day left, None: too long."""
    return after + DAY_MS if after + DAY_MS <= LONGEST_MS else None


def _cures(part: Any, id_: str, policy: Location, clock: Location, late: Late) -> Iterator[Cure]:
    """Yield that it is left out, and that there is time for it."""
    yield Cure(late.label, (Edit(part, id_, (*policy, late.field), late.rest),))
    if late.until is not None:
        label = f"Allow {spelled(late.until)} to decide"
        yield Cure(label, (Edit(part, id_, (*clock, "timeout_ms"), late.until),))


def spelled(ms: int) -> str:
    """Return a stretch of time in its largest whole unit: `36 hours`."""
    unit, size = next((unit, size) for unit, size in UNITS if ms % size == 0 and ms >= size)
    return f"{ms // size} {unit}{'' if ms == size else 's'}"
