"""What every transition of a run that has begun ends with: the run moves on as far as it goes."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.decide.begin.places import wait_for_place
from engine.core.decide.interrupts import supersede_changed
from engine.core.decide.scheduler import Advance, Claim, Env, advance
from engine.core.decide.transition import Transition


def moved(tx: Transition, env: Env, fn: Callable[[Transition], object]) -> Advance:
    """Apply `fn` and let the run go on; claims that `fn` returns come first.

    A run that waited gave its place up: it goes on once it has one again.
    """
    waited = tx.state.status == "waiting"
    extra = fn(tx)
    if tx.state.interrupts:
        supersede_changed(tx)
    claims = [one for one in extra if isinstance(one, Claim)] if isinstance(extra, list) else []
    if waited and not claims:
        wait_for_place(tx, env.limited)
    onward = advance(tx, env)
    onward.claims[:0] = claims
    return onward
