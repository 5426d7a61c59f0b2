"""The fold: `evolve(state, event)` applies one fact to the state it owns. No clock, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from engine.core.graph.tokens import TokenBoard
from engine.core.state.events import Event
from engine.core.state.fold.asking import interrupt_answered_back, interrupt_asked_back
from engine.core.state.fold.nodes import (
    attempt_failed,
    node_cancelled,
    node_completed,
    node_failed,
    node_queued,
    node_skipped,
    node_started,
)
from engine.core.state.fold.people import (
    decision_dropped,
    decision_recorded,
    interrupt_escalated,
    interrupt_opened,
    interrupt_reminded,
    interrupt_resolved,
)
from engine.core.state.fold.steps import (
    message_emitted,
    node_state_set,
    row_shown,
    step_completed,
    step_failed,
    step_intended,
    step_recorded,
    structured_emitted,
    workflow_state_set,
    write_dropped,
)
from engine.core.state.fold.undo import circuit_moved, compensation_run, compensation_started
from engine.core.state.fold.waits import (
    child_run_ended,
    child_run_requested,
    child_run_waiting,
    children_requested,
    node_in_doubt,
    node_timed,
    node_waiting,
    timer_fired,
)
from engine.core.state.program import Program
from engine.core.state.run_state import Ending, RunState, TokenPayload
from engine.core.values.json import FrozenDict
from engine.core.values.weight import weigh

Apply = Callable[[RunState, Event], None]
WEIGHED: Final[Mapping[str, tuple[str, ...]]] = {
    "RunStarted": (),
    "NodeCompleted": ("writes", "results", "output", "aside"),
    "StepIntended": ("request",),
    "StepCompleted": ("result",),
    "StepRecorded": (),
    "MessageEmitted": (),
    "StructuredEmitted": (),
    "NodeStateSet": (),
    "WorkflowStateSet": (),
    "ChildrenRequested": (),
    "ChildRunEnded": (),
    "InterruptOpened": (),
    "DecisionRecorded": (),
}
"""Events that carry values of any size, and where; nothing said, anywhere. What a run may record in
all is judged by their sum."""


def evolve(state: RunState, event: Event) -> RunState:
    """Apply `event` to `state` and return it. Events must come in the order of their `seq`."""
    state.seq, state.at = event.seq, event.at
    cause = event.data.get("cause")
    if cause is not None:
        state.causes.add(cause)
    apply = APPLY.get(event.type)
    if apply is not None:
        apply(state, event)
    places = WEIGHED.get(event.type)
    if places is not None:
        _weigh(state, event, places)
    if state.executing_since is None:
        if state.busy and state.status == "waiting":
            state.executing_since = event.at
            state.status = "running"
    elif not state.busy and state.activations and state.status == "running":
        state.executing_ms += event.at - state.executing_since
        state.executing_since = None
        state.status = "waiting"
    return state


def _weigh(state: RunState, event: Event, places: tuple[str, ...]) -> None:
    if not places:
        state.weight += weigh(event.data)
    for place in places:
        value = event.data.get(place)
        if value:
            state.weight += weigh(value)


def new_state(program: Program) -> RunState:
    """Return the state before the first event of a run of `program`."""
    return RunState(program=program, board=TokenBoard(program.graph))


def fold(program: Program, events: Sequence[Event]) -> RunState:
    """Return the state that the events give, from the first one on."""
    state = new_state(program)
    for event in events:
        evolve(state, event)
    return state


def run_started(state: RunState, event: Event) -> None:
    """Fill the lanes with what the run was started with, and put tokens behind `__start__`."""
    data = event.data
    state.status = "running"
    state.started = FrozenDict(data)
    state.started_at = state.executing_since = event.at
    state.goal, state.constraints = data["goal"], list(data["constraints"])
    state.has_input = "input" in data
    state.input = data.get("input")
    state.memory = dict(data["memory"])
    state.context = data["context"]
    state.start_metadata = state.metadata = data["metadata"]
    if data.get("messages"):
        state.runtime = FrozenDict({"messages": data["messages"]})
    if "only" in data:
        _start_alone(state, data)
        return
    carry = TokenPayload(None, state.input, state.start_metadata)
    for index in state.program.graph.start_edges:
        state.board.arrive(index, carry)


def _start_alone(state: RunState, data: Mapping[str, Any]) -> None:
    """Put one token before the only node that is run, with what it finds there."""
    given, only = data["given"], data["only"]
    state.outputs = dict(given["outputs"])
    carry = TokenPayload(None, given["previous"], state.start_metadata)
    edges = (edge for edge in state.program.graph.edges if edge is not None)
    state.board.arrive(next(e.index for e in edges if e.target_id == only), carry)


def run_queued(state: RunState, event: Event) -> None:
    """Let the run stand, its clock with it."""
    state.status = "queued"
    if state.executing_since is not None:
        state.executing_ms += event.at - state.executing_since
        state.executing_since = None


def run_admitted(state: RunState, event: Event) -> None:
    """Let the run move."""
    state.status = "running"
    state.executing_since = event.at


def run_ending(state: RunState, event: Event) -> None:
    """Stop everything that has not been claimed."""
    data = event.data
    state.status = "ending"
    state.ending = Ending(data["status"], data["reason"], data["error"], data.get("by"), event.at)
    state.error = data["error"]
    state.timers.clear()
    state.runnable.clear()
    if data.get("grace_until"):
        state.timers["ending"] = (data["grace_until"], None)


def run_over(status: str) -> Apply:
    """Return the fold of a terminal event with this status."""

    def apply(state: RunState, event: Event) -> None:
        state.status = status
        state.terminal = True
        state.ended_at = event.at
        state.result = event.data.get("result")
        if event.data.get("error") is not None:
            state.error = event.data["error"]
        state.timers.clear()

    return apply


def threshold_reached(state: RunState, event: Event) -> None:
    """Remember that a threshold was announced."""
    state.thresholds.add((event.data["budget"], event.data["threshold"]))


def budget_raised(state: RunState, event: Event) -> None:
    """Remember by how much a person raised a budget."""
    usd, tokens = state.raised.get(event.data["budget"], (Decimal(0), 0))
    state.raised[event.data["budget"]] = (
        usd + Decimal(event.data.get("add_usd") or 0),
        tokens + (event.data.get("add_tokens") or 0),
    )


def agent_pinned(state: RunState, event: Event) -> None:
    """Keep an agent as the run will use it to its end."""
    state.agents[event.data["agent_id"]] = event.data["definition"]


def memory_edited(state: RunState, event: Event) -> None:
    """Take over what a person changed where the run was forked."""
    for key, value in event.data["set"].items():
        state.memory[key] = value
    for key in event.data["removed"]:
        state.memory.pop(key, None)
    for key in (*event.data["set"], *event.data["removed"]):
        state.writers.pop(key, None)
        state.fits.pop(key, None)


def run_transitioned(state: RunState, event: Event) -> None:
    """Note that another run goes on with what is left of this one's budget."""
    state.handed_over = state.transitioned = True


APPLY: dict[str, Apply] = {
    "RunStarted": run_started,
    "RunQueued": run_queued,
    "RunAdmitted": run_admitted,
    "RunTransitioned": run_transitioned,
    "MemoryEdited": memory_edited,
    "RunEnding": run_ending,
    "RunCompleted": run_over("completed"),
    "RunFailed": run_over("failed"),
    "RunCancelled": run_over("cancelled"),
    "RunTimedOut": run_over("timeout"),
    "NodeQueued": node_queued,
    "NodeStarted": node_started,
    "NodeWaiting": node_waiting,
    "NodeTimed": node_timed,
    "NodeCompleted": node_completed,
    "NodeFailed": node_failed,
    "NodeSkipped": node_skipped,
    "NodeCancelled": node_cancelled,
    "NodeInDoubt": node_in_doubt,
    "AttemptFailed": attempt_failed,
    "StepIntended": step_intended,
    "StepCompleted": step_completed,
    "StepFailed": step_failed,
    "StepRecorded": step_recorded,
    "MessageEmitted": message_emitted,
    "StructuredEmitted": structured_emitted,
    "RowShown": row_shown,
    "NodeStateSet": node_state_set,
    "WorkflowStateSet": workflow_state_set,
    "WriteDropped": write_dropped,
    "InterruptOpened": interrupt_opened,
    "InterruptResolved": interrupt_resolved,
    "InterruptReminded": interrupt_reminded,
    "InterruptEscalated": interrupt_escalated,
    "InterruptAskedBack": interrupt_asked_back,
    "InterruptAnsweredBack": interrupt_answered_back,
    "DecisionRecorded": decision_recorded,
    "DecisionDropped": decision_dropped,
    "ChildrenRequested": children_requested,
    "ChildRunRequested": child_run_requested,
    "ChildRunWaiting": child_run_waiting,
    "ChildRunEnded": child_run_ended,
    "TimerFired": timer_fired,
    "BudgetThresholdReached": threshold_reached,
    "BudgetRaised": budget_raised,
    "AgentPinned": agent_pinned,
    "CompensationStarted": compensation_started,
    "CompensationRun": compensation_run,
    "CircuitOpened": circuit_moved("open"),
    "CircuitClosed": circuit_moved("closed"),
}
