"""What every transition of a run that has begun ends with: the run moves on as far as it goes."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.decide.begin.places import has_left_its_place, wait_for_place
from engine.core.decide.interrupts import supersede_changed
from engine.core.decide.scheduler import Advance, Claim, Env, advance
from engine.core.decide.transition import Transition


def moved(tx: Transition, env: Env, fn: Callable[[Transition], object]) -> Advance:
    """Apply `fn` and let the run go on; claims that `fn` returns come first.

    A run that rested gave its place up: it goes on once it has one again.
    """
    rested = has_left_its_place(tx.state, env.limited)
    extra = fn(tx)
    if tx.state.interrupts:
        supersede_changed(tx)
    claims = [one for one in extra if isinstance(one, Claim)] if isinstance(extra, list) else []
    if rested and not claims:
        wait_for_place(tx, env.limited)
    onward = advance(tx, env)
    onward.claims[:0] = claims
    return onward
