"""What is recorded of an execution that left its node without an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.decide.endings import cancel_activation, presume_holds
from engine.core.decide.holds import capped_above, left_to_parent
from engine.core.decide.outcomes import fail_node, failed_fast
from engine.core.decide.transition import Transition
from engine.core.errors import BudgetStop, Suspended

if TYPE_CHECKING:
    from engine.core.decide.scheduler import Claim
    from engine.core.state.run_state import Activation


def record_leaving(tx: Transition, claim: Claim, error: BaseException) -> None:
    """Record that an execution left by control flow: suspended, cancelled or out of budget.

    Nothing is recorded where another execution holds the activation by now.
    """
    act = tx.state.activations.get(claim.key)
    if act is None or act.epoch != claim.epoch:
        return
    if isinstance(error, BudgetStop):
        presume_holds(tx, claim.key)
        alone = left_to_parent(tx.state, act, error)
        owner = None if alone else capped_above(tx.state, act, error)
        fail_node(tx, claim.plan, act, error, stop_run=not alone and owner is None)
        if owner is not None:
            fail_node(tx, None, owner, error, stop_run=True)
    elif act.undoes is not None:
        return  # parked in doubt: a person's word resumes it
    elif tx.state.ending is not None or _unwanted(tx, act, error):
        cancel_activation(tx, claim.key)
    elif isinstance(error, Suspended) and act.status == "running" and not act.waiting_on:
        tx.emit("NodeWaiting", claim.key, {"on": "interrupt", "path": ""})


def _unwanted(tx: Transition, act: Activation, error: BaseException) -> bool:
    """Return whether nobody waits for the activation: its parent is over, or its group failed."""
    if act.parent is not None and act.parent not in tx.state.activations:
        return True
    return isinstance(error, Suspended) and failed_fast(tx, act)
