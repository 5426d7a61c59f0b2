"""How an activation ends: gate, memory, routing on success; retry, failure edge or end on failure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.decide.backoff import next_attempt
from engine.core.decide.endings import begin_ending, close_attempt
from engine.core.decide.exits.sizes import check_result_size
from engine.core.decide.transition import Transition
from engine.core.decide.undo import undo_of
from engine.core.errors import ControlFlow, EngineError, NodeError
from engine.core.graph.compiled import CompiledEdge
from engine.core.graph.routing import Choice, Outcome, choose_edges
from engine.core.node_types.node_type import UNSET, NodeResult
from engine.core.state.breakers import attempt_failed, attempt_succeeded
from engine.core.state.event_types.activations import (
    AttemptFailed,
    EdgeEvaluated,
    NodeCompleted,
    NodeFailed,
)
from engine.core.state.event_types.runs import RunTransitioned
from engine.core.state.events import error_data
from engine.core.state.grants import with_cure
from engine.core.state.lanes import (
    Landed,
    check_schema,
    check_writes,
    edge_scope,
    evaluate_condition,
    may_write,
)
from engine.core.state.program import NodePlan
from engine.core.state.run_state import Activation
from engine.core.values.json import EMPTY, FrozenDict, FrozenList, as_text, digest_id, freeze


@dataclass(slots=True)
class Finish:
    """What the runner adds to a node's result: the agent's ceiling and choice, results of its own."""

    ceiling: Iterable[str] | None = None
    agent_choice: str | None = None
    route: str | None = None
    aside: dict[str, Any] | None = None
    """Of a child, for its parent alone: neither output nor memory."""
    results: dict[str, Any] | None = None
    is_result: bool = False
    pinned: bool = False
    """Whether a pinned result stands in for the node: it did nothing that could be undone."""
    handover: str | None = None
    """The stored version that a transition was judged by: the one that then runs."""


PLAIN = Finish()


def complete_node(
    tx: Transition, plan: NodePlan, act: Activation, result: NodeResult, finish: Finish = PLAIN
) -> None:
    """Apply a node's result: writes through the gate, routing, `NodeCompleted`.

    Raises `NodeError` before anything is emitted when the gate, the schema or an explicit target
    refuses; the caller fails the attempt with it.
    """
    _refuse_handover(plan, act, result)
    writes, results = _split_writes(plan, result, finish)
    check_writes(plan, writes, finish.ceiling)
    if not act.isolated:
        check_schema(tx.state, plan, writes)
    output = result.output if result.output is not UNSET else (result.data or EMPTY)
    metadata = _metadata_text(result)
    check_result_size(result.data, result.output, result.ui, finish.results, finish.aside)
    landed: Landed = (writes, results, output, metadata)
    data: NodeCompleted = {
        "edges": [],
        "attempts": act.attempt,
        "duration_ms": 0 if finish.pinned else tx.now - act.started_at,
    }
    undoable = plan.spec.requires_compensation and not finish.pinned
    undo = undo_of(tx, plan, act, landed) if undoable else None
    if undo is not None:
        data["undo"] = undo
    if result.output is not UNSET or results or result.transition_to is not None:
        data["output"] = output
    evaluations: list[EdgeEvaluated] = []
    problem: NodeError | None = None
    if act.parent is None and tx.state.ending is None and result.transition_to is None:
        choice, problem = _route(tx, plan, act, result, finish=finish, landed=landed)
        evaluations = _evaluation_data(tx, choice)
        data["edges"] = list(choice.edges)
    if result.ui:
        _emit_ui(tx, act, result)
    for evaluation in evaluations:
        tx.emit("EdgeEvaluated", act.key, evaluation)
    note_collisions(tx, act, writes)
    _complete_data(data, result, writes=writes, results=results, metadata=metadata, finish=finish)
    if result.transition_to is not None and tx.state.ending is None and tx.state.only is None:
        _transition(tx, act, result, finish.handover)
    close_attempt(tx, act)
    if plan.policy.circuit_breaker.enabled and not finish.pinned:
        attempt_succeeded(tx, plan, act)
    tx.emit("NodeCompleted", act.key, data)
    if problem is not None and tx.state.ending is None:
        begin_ending(tx, "failed", "failed", error_data(problem, act.node))


def _refuse_handover(plan: NodePlan, act: Activation, result: NodeResult) -> None:
    """Refuse `transition_to` where there is no branch to end, or nobody who can look it up."""
    if result.transition_to is not None and (act.parent is not None or plan.pure):
        who = "a node of a pure type" if plan.pure else "a node that another one runs"
        raise NodeError("NodeResultInvalid", f"{who} cannot hand over by `transition_to`")


def _complete_data(
    data: NodeCompleted,
    result: NodeResult,
    *,
    writes: dict[str, Any],
    results: dict[str, Any],
    metadata: dict[str, str],
    finish: Finish,
) -> None:
    if writes:
        data["writes"] = FrozenDict(writes)
    if results:
        data["results"] = FrozenDict(results)
    if metadata:
        data["metadata"] = FrozenDict(metadata)
    if result.condition is not None:
        data["condition"] = result.condition
    if result.intent is not None:
        data["intent"] = result.intent
    if result.infra is not None:
        data["infra"] = result.infra
    if finish.aside is not None:
        data["aside"] = freeze(finish.aside)
    if finish.is_result:
        data["is_result"] = True
    if finish.pinned:
        data["pinned"] = True


def _split_writes(
    plan: NodePlan, result: NodeResult, finish: Finish
) -> tuple[dict[str, Any], dict[str, Any]]:
    writes = dict(result.data) if result.data else {}
    results = {key: writes.pop(key) for key in list(writes) if key in plan.own_keys}
    for key, value in (finish.results or {}).items():
        results[key] = freeze(value, key)
    if result.transition_to is not None:  # the data is for the next run: here only what may stay
        writes = {k: v for k, v in writes.items() if may_write(plan, k, finish.ceiling)}
    return writes, results


def _metadata_text(result: NodeResult) -> dict[str, str]:
    """Return metadata as text values; other JSON values as their JSON text (row S13)."""
    if not result.metadata:
        return {}
    return {key: as_text(value) for key, value in result.metadata.items()}


def _emit_ui(tx: Transition, act: Activation, result: NodeResult) -> None:
    ui = result.ui or {}
    message = ui.get("message")
    if isinstance(message, str) and message.strip():
        tx.emit("MessageEmitted", act.key, {"content": message, "final": True})
    structured = ui.get("structured")
    if isinstance(structured, dict):
        tx.emit(
            "StructuredEmitted",
            act.key,
            {"data_type": None, "mode": "merge", "data": freeze(structured)},
        )


def _transition(tx: Transition, act: Activation, result: NodeResult, version: str | None) -> None:
    assert result.transition_to is not None
    payload = freeze(result.data or EMPTY)
    run_id = digest_id([tx.state.run_id, act.key, "transition"])
    metadata = FrozenDict({**act.metadata, **_metadata_text(result)})
    data: RunTransitioned = {
        "graph_id": result.transition_to,
        "run_id": run_id,
        "payload": payload,
    }
    tx.emit("RunTransitioned", act.key, data)
    word = {**data, "metadata": metadata, "key": act.key, "from": tx.state.run_id}
    tx.signal("start_transition", run_id, {**word, "version_id": version})


def _route(
    tx: Transition,
    plan: NodePlan,
    act: Activation,
    result: NodeResult,
    *,
    finish: Finish,
    landed: Landed,
) -> tuple[Choice, NodeError | None]:
    """Return the edges taken, and the error that ends the run although the node completed."""
    outcome = Outcome(
        condition=result.condition,
        intent=result.intent,
        next=result.next,
        agent_choice=finish.agent_choice,
        route=finish.route,
    )
    scope: dict[str, Any] = {}

    def evaluate(edge: CompiledEdge) -> tuple[bool, bool]:
        if not scope:
            scope.update(edge_scope(tx.state, plan, act, result, landed))
        assert edge.condition is not None  # asked of edges that have one
        return evaluate_condition(edge.condition, scope)

    graph = tx.state.program.graph
    try:
        choice = choose_edges(graph, act.node, outcome, evaluate)
    except NodeError as error:
        return Choice(), error
    if choice.error == "NoMatchingEdge":
        return choice, NodeError(choice.error, choice.told(act.node, as_text(landed[2])))
    if choice.error is not None:
        raise NodeError(choice.error, choice.told(act.node))
    return choice, None


def _evaluation_data(tx: Transition, choice: Choice) -> list[EdgeEvaluated]:
    edges = tx.state.program.graph.edges
    found: list[EdgeEvaluated] = []
    for evaluation in choice.evaluations:
        edge = edges[evaluation.edge]
        assert edge is not None
        data: EdgeEvaluated = {
            "edge": evaluation.edge,
            "source": edge.source_id,
            "target": edge.target_id,
            "expression": edge.condition or "",
            "value": evaluation.value,
        }
        if evaluation.missing:
            data["missing"] = True
        found.append(data)
    return found


def note_collisions(tx: Transition, act: Activation, writes: Mapping[str, Any]) -> None:
    """Say so when a node overwrites what was written since it started (no reducer)."""
    state = tx.state
    if act.isolated:
        return
    for key in writes:
        other, seq = state.written.get(key, ("", 0))
        if seq > act.view_seq and key not in state.program.reducers:
            tx.emit("WritesCollided", act.key, {"memory_key": key, "other": other})


def fail_attempt(
    tx: Transition,
    plan: NodePlan,
    act: Activation,
    error: NodeError,
    jitter: float,
    *,
    group: str = "failed",
    rejected: bool = False,
) -> None:
    """Record a failed attempt: a retry while the policy allows one, else the node fails.

    `jitter` is a number in [0, 1) for the back-off; `rejected` says that the attempt failed
    because its own answer was refused, so that its models are asked anew (row C34).
    """
    error = with_cure(plan, error)
    again = next_attempt(plan, act, error, jitter, tx.now)
    if again is None or not (again.get("waits_for") == "server" or again.get("uncounted")):
        attempt_failed(tx, plan, act, error, rejected=rejected)
    if again is not None and tx.state.ending is None:
        data: AttemptFailed = {**again, "error": error_data(error)}  # type: ignore[typeddict-item]
        if rejected:
            data["rejected_answer"] = True
        close_attempt(tx, act)
        tx.emit("AttemptFailed", act.key, data)
        return
    fail_node(tx, plan, act, error, group=group)


def fail_node(
    tx: Transition,
    plan: NodePlan | None,
    act: Activation,
    error: EngineError | ControlFlow,
    *,
    group: str = "failed",
    stop_run: bool = False,
) -> None:
    """Fail the activation for good: along its `group` edges, else the run ends with the error."""
    data = error_data(error, act.node)
    edges: tuple[int, ...] = ()
    if act.parent is None and tx.state.ending is None and not (stop_run or tx.state.only):
        edges = _failure_edges(tx, act, group, data)
    close_attempt(tx, act)
    ended: NodeFailed = {
        "error": data,
        "edges": list(edges),
        "attempts": act.attempt,
        "duration_ms": tx.now - act.started_at,
    }
    if edges and getattr(error, "results", None):
        ended["results"] = error.results  # type: ignore[union-attr]
    tx.emit("NodeFailed", act.key, ended)
    _cancel_siblings(tx, act)
    if tx.state.ending is not None or (act.parent is not None and not stop_run):
        return
    if not edges:
        reason = "rejected" if data["code"] == "ApprovalRejected" else "failed"
        begin_ending(tx, "failed", reason, data)


def failed_fast(tx: Transition, act: Activation) -> bool:
    """Return whether a child of the same group has failed and the others are no longer needed."""
    parent = tx.state.activations.get(act.parent or "")
    group = None if parent is None else parent.groups[act.parent_path or ""]
    return group is not None and group.fail_fast and group.failed


def _cancel_siblings(tx: Transition, act: Activation) -> None:
    """Where a group fails fast, end its other children that nobody executes right now."""
    from engine.core.decide.endings import cancel_activation, is_executing

    if not failed_fast(tx, act):
        return
    place = (act.parent, act.parent_path)
    tops = [o.key for o in tx.state.activations.values() if (o.parent, o.parent_path) == place]
    below = tuple(f"{key}/" for key in tops)
    for key, other in list(tx.state.activations.items()):
        if (key in tops or key.startswith(below)) and not is_executing(other):
            cancel_activation(tx, key)


def _failure_edges(
    tx: Transition, act: Activation, group: str, error: FrozenDict
) -> tuple[int, ...]:
    state = tx.state
    scope = {
        "goal": state.goal,
        "constraints": FrozenList(state.constraints),
        "input": state.input,
        "previous": act.previous,
        "memory": state.memory,
        "outputs": state.outputs,
        "context": state.context,
        "metadata": act.metadata,
        "result": {"output": error, "data": {}, "condition": None, "intent": None, "metadata": {}},
    }
    for tried in _groups_after(group, error["code"]):
        try:
            choice = choose_edges(
                state.program.graph,
                act.node,
                Outcome(group=tried),
                lambda edge: evaluate_condition(edge.condition or "", scope),
            )
        except NodeError:
            return ()
        if choice.edges and not choice.error:
            return choice.edges
    return ()


def _groups_after(group: str, code: str) -> tuple[str, ...]:
    """Return the edge groups that a failure may take, in order (rows I11, C32, C93, C94).

    A passed deadline counts as a rejection where one was asked for, else as any failure; a
    rejection without a way of its own ends the run.
    """
    if group != "timed_out":
        return (group,)
    return (group, "rejected" if code == "ApprovalRejected" else "failed")


def skip_node(tx: Transition, act: Activation) -> None:
    """End an activation by passing `previous` on, as a disabled node does."""
    edges: tuple[int, ...] = ()
    if act.parent is None and tx.state.ending is None:
        choice = choose_edges(
            tx.state.program.graph, act.node, Outcome(), lambda _edge: (False, True)
        )
        edges = choice.edges
    close_attempt(tx, act)
    tx.emit("NodeSkipped", act.key, {"output": act.previous, "edges": list(edges)})
