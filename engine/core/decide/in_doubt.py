"""Parking an activation for a person: a call of unknown outcome, changed code, a poison pill."""

from __future__ import annotations

from typing import Any

from engine.core.decide.transition import Transition
from engine.core.errors import NodeError
from engine.core.state.event_types.steps import StepCompleted
from engine.core.state.run_state import Activation
from engine.core.values.json import FrozenDict, digest, freeze


def request_id_of(run_id: str, key: str, path: str, seq: int, start: str = "human-") -> str:
    """Return the id of a new interrupt: unique in the run by its place in the log."""
    return start + digest([run_id, key, path, seq])[:32]


def open_doubt(
    tx: Transition, act: Activation, reason: str, path: str, detail: dict[str, Any]
) -> None:
    """Emit `NodeInDoubt` and the inbox item: it happened, retry, or skip."""
    request_id = request_id_of(tx.state.run_id, act.key, path, tx.state.seq + 1)
    tx.emit("NodeInDoubt", act.key, {"reason": reason, "path": path, "request_id": request_id})
    request = freeze({"kind": "in_doubt", "reason": reason, "step": path, **detail})
    tx.emit(
        "InterruptOpened",
        act.key,
        {
            "request_id": request_id,
            "kind": "in_doubt",
            "request": request,
            "path": f"{path}?",
            "request_hash": digest([reason, path]),
        },
    )


def no_longer_in_doubt(tx: Transition, key: str, path: str, *, happened: bool) -> None:
    """Close the question about a call whose outcome came late, before that is recorded.

    Nobody's name stands with it: it was no person who answered.
    """
    for opened in list(tx.state.interrupts.values()):
        about = (opened.key, opened.kind, opened.request.get("step"))
        if about == (key, "in_doubt", path) and opened.request["reason"] == "unknown_outcome":
            said = "happened" if happened else "retry"
            tx.emit(
                "InterruptResolved",
                key,
                {
                    "request_id": opened.request_id,
                    "outcome": "answered",
                    "decision": said,
                    "answer": said,
                    "comment": "the answer of the call came after all",
                },
            )


def resolve_doubt(
    tx: Transition, key: str, request: FrozenDict, decision: str, result: object
) -> None:
    """Apply a person's word on an activation in doubt, after its `InterruptResolved`."""
    from engine.core.decide.endings import close_attempt
    from engine.core.decide.outcomes import skip_node
    from engine.core.decide.undo import finish_undo

    act = tx.state.activations.get(key)
    if act is None:
        return
    if decision == "skip":
        if act.undoes is None:
            skip_node(tx, act)
        else:
            finish_undo(tx, act, error=NodeError("InDoubt", "a person let the undo be"))
        return
    if request["reason"] != "unknown_outcome":
        close_attempt(tx, act)
        error = freeze({"code": "InDoubt", "message": f"retried by a person ({request['reason']})"})
        tx.emit(
            "AttemptFailed",
            key,
            {
                "attempt": act.attempt,
                "max_attempts": act.attempt + 1,
                "error": error,
                "retry_at": tx.now,
            },
        )
        return
    path, attempt = request["step"], request["attempt"]
    step = act.steps[(attempt, path)]
    happened: StepCompleted = {
        "path": path,
        "attempt": attempt,
        "result": freeze(result),
        "hold": step.hold,
    }
    if decision == "happened":
        tx.emit("StepCompleted", key, happened)
    else:
        error = freeze({"code": "InDoubt", "message": "a person asked for another try"})
        tx.emit(
            "StepFailed",
            key,
            {"path": path, "attempt": attempt, "error": error, "again": True, "hold": step.hold},
        )
