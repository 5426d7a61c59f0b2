"""Claiming again what nobody executes any more, of a whole run or one activation."""

from __future__ import annotations

from engine.core.decide.endings import cancel_activation, is_executing, is_in_flight
from engine.core.decide.scheduler import Claim, Env, reclaim
from engine.core.decide.transition import Transition
from engine.core.decide.undo import resume_undo
from engine.core.state.run_state import Activation


def take_over(tx: Transition, env: Env, *, crashed: bool = False) -> list[Claim]:
    """Claim again what nobody executes any more: after a restart, a lost commit, in a fork.

    `crashed` says that the process died meanwhile. That counts against what it executed, which may
    have been the cause; an orderly stop does not.
    """
    tx.took_over = True
    if tx.state.status == "queued":
        return []
    acts = list(tx.state.activations.values())
    return [claim for act in acts for claim in _claims(tx, env, act, crashed=crashed)]


def begin_again(tx: Transition, env: Env, claim: Claim) -> list[Claim]:
    """Claim one activation again whose execution ended and left it as it was.

    Nothing where somebody has claimed it since.
    """
    act = tx.state.activations.get(claim.key)
    return [] if act is None or act.epoch != claim.epoch else _claims(tx, env, act)


def _claims(tx: Transition, env: Env, act: Activation, *, crashed: bool = False) -> list[Claim]:
    if not is_executing(act) and not is_in_flight(act):
        return []
    if act.undoes is not None:
        return resume_undo(tx, act, takeover=crashed)
    if tx.state.ending is not None:
        cancel_activation(tx, act.key)
        return []
    claim = reclaim(tx, env, act, takeover=crashed)
    return [] if claim is None else [claim]
