"""Which budget pays for a draft, and whether what is left of it is enough to begin."""

from __future__ import annotations

from builder.base.errors import Unprocessable
from builder.models import Membership
from builder.reads.money.budgets import BudgetStatus, tightest
from builder.services.graphs.drafting.capable import Capable
from builder.services.graphs.drafting.workflow import SLUG
from engine.core.budgets.money import pico


def paying_budget(member: Membership) -> BudgetStatus | None:
    """Return the budget of the workspace with least left, which a draft spends from; None without."""
    zone = str(member.workspace.all_settings["timezone"])
    return tightest(member.workspace_id, [SLUG], zone)


def refuse_short_budget(member: Membership, chosen: Capable) -> None:
    """Raise `Unprocessable` `BudgetTooSmall` where not even the first answer fits."""
    paying = paying_budget(member)
    if paying is None:
        return
    wanted, tokens = pico(chosen.first_usd) or 0, chosen.first.total
    short_usd = paying.left_pico is not None and paying.left_pico < wanted
    if short_usd or (paying.left_tokens is not None and paying.left_tokens < tokens):
        raise Unprocessable(
            "what is left of the workspace's budget is less than one answer may cost: raise the"
            " budget, choose a cheaper model, or wait for the next period",
            code="BudgetTooSmall",
        )
