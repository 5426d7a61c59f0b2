"""A call that does not fit its budget: what the policy says is done, and a person is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.budgets.money import usd_text
from engine.core.decide.holds import FallbackWanted, policy_for, shortfall
from engine.core.errors import BudgetStop
from engine.core.values.json import digest, freeze
from engine.runtime.execution.waits import Waits

if TYPE_CHECKING:
    from engine.core.budgets.ledger import Refusal
    from engine.runtime.execution.held import Held
    from engine.runtime.host import RunHost

PERIOD_PAUSE_SECONDS = 0.1
"""How long a call waits for its new period to begin where the clock was put back over its start."""


async def settle_breach(
    host: RunHost, ctx: Held, refusal: Refusal, path: str, *, last_resort: bool
) -> None:
    """Apply the policy of the budget to a refused hold; returns when a person raised the limit.

    Raises `BudgetStop`, and `FallbackWanted` unless this is the fallback already.
    """
    policy = policy_for(ctx.run, ctx.act.key, refusal.row)
    on_breach = policy.on_breach if policy is not None else "fail"
    if policy is not None and on_breach == "fallback" and not last_resort:
        raise FallbackWanted(policy.fallback_agent_id)
    if on_breach == "ask":
        await ask_for_budget(host, ctx, refusal, path)
        return
    raise BudgetStop(refusal.code, refusal.message(), detail=refusal.detail())


async def ask_for_budget(host: RunHost, ctx: Held, refusal: Refusal, path: str) -> None:
    """Put the shortfall to a person; returns when it was raised. Raises `BudgetStop`.

    A question about a shared budget ends with its period: the next one has room of its own.
    """
    row = refusal.row
    short_usd, short_tokens = shortfall(refusal)
    if not short_usd and not short_tokens:
        return  # what others held meanwhile came free: it fits now
    request = freeze(
        {
            "kind": "budget",
            "question": refusal.message(),
            **refusal.detail(),
            "short_usd": usd_text(short_usd),
            "short_tokens": short_tokens,
        }
    )
    identity = [row.id, str(row.limit_usd), row.limit_tokens]
    place = f"{path}${digest(identity)[:8]}"
    host.ask_for_room(ctx.run_id, row.id)
    left = None if row.ends_at is None else max(row.ends_at - host.clock.now(), 0)
    resolution = await Waits(host, ctx).pause("budget", request, left, place, identity)
    if resolution["outcome"] == "expired":
        await host.clock.sleep(PERIOD_PAUSE_SECONDS)
        return
    if resolution.get("decision") != "raise":
        raise BudgetStop(refusal.code, refusal.message(), detail=refusal.detail())
