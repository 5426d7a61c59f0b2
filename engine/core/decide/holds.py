"""What a call may spend: the budgets it is held on, and what happens when it does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.core.budgets.ledger import BREACH_CODES, BudgetRef, BudgetRow, Refusal, in_order
from engine.core.budgets.money import usd_text, usd_text_or_none
from engine.core.budgets.shared import Payers
from engine.core.decide.transition import Transition
from engine.core.errors import BudgetStop, Cancelled
from engine.core.state.event_types.runs import BudgetThresholdReached
from engine.core.state.run_state import Activation, RunState
from engine.core.values.json import FrozenDict, freeze

if TYPE_CHECKING:
    from engine.core.graph.document import NodeBudget


class FallbackWanted(Exception):
    """The budget does not fit and its policy names a cheaper agent, `agent_id`."""

    def __init__(self, agent_id: str | None) -> None:
        super().__init__(agent_id)
        self.agent_id = agent_id


def budgets_of(state: RunState, key: str) -> list[BudgetRef]:
    """Return the budgets of the activation `key` and of what is around it, up to the runs'.

    Raises `Cancelled` where a composite around it is over.
    """
    refs: list[BudgetRef] = []
    inner: str | None = key
    while inner is not None:
        act = state.activations.get(inner)
        if act is None:
            raise Cancelled  # what asked for this call is over, and nobody waits for it
        cap = state.program.spec.node(act.node).budget
        if cap is not None and (cap.max_tokens is not None or cap.max_cost_usd is not None):
            name = f"node:{state.run_id}:{inner}"
            refs.append(BudgetRef(name, "node", cap.max_tokens, cap.max_cost_usd))
        inner = act.parent
    return refs + run_budgets(state)


def payers_of(state: RunState) -> Payers:
    """Return which graphs and which trigger a run spends from beside its workspace."""
    parent = state.started.get("parent") or {}
    graphs = dict.fromkeys([*parent.get("charged", ()), str(state.started["graph_id"])])
    return Payers(tuple(graphs), state.started.get("trigger") or parent.get("trigger"))


def held_on(tx: Transition, key: str) -> list[BudgetRef]:
    """Return every budget that a call made now by `key` is held on, in the order of holding.

    Those of trigger, graph and workspace are the ones that hold at this moment, whatever held at the start.
    """
    refs = budgets_of(tx.state, key)
    if tx.ledger.shared is not None:
        workspace = tx.state.started.get("workspace_id")
        refs += tx.ledger.shared.refs(workspace, payers_of(tx.state), tx.now)
    return in_order(refs)


def run_budgets(state: RunState) -> list[BudgetRef]:
    """Return the budgets of the run and of the runs around it."""
    limits = state.started["limits"]
    usd, tokens = limits.get("budget_usd"), limits.get("max_token_budget")
    refs = []
    if usd is not None or tokens is not None:
        cap = None if usd is None else Decimal(usd)
        refs.append(BudgetRef(f"run:{state.run_id}", "run", tokens, cap))
    around = (state.started.get("parent") or {}).get("budgets", ())
    return refs + [BudgetRef.from_json(data) for data in around]


def policy_for(state: RunState, key: str, row: BudgetRow) -> NodeBudget | None:
    """Return whose `on_breach` counts where `row` refuses a call of `key`; None: nobody's.

    A cap is its node's own matter, whichever child made the call (row C40). For the budgets around
    the node the innermost one with a budget speaks: the caller, else a composite around it.
    """
    nearest: NodeBudget | None = None
    act = state.activations.get(key)
    while act is not None:
        budget = state.program.spec.node(act.node).budget
        if budget is not None and row.id == f"node:{state.run_id}:{act.key}":
            return budget
        nearest = nearest or budget
        act = state.activations.get(act.parent or "")
    return nearest


class MoreWanted(NamedTuple):
    """A question about a budget: what people are asked, and what makes it the same on a replay."""

    request: FrozenDict
    identity: Sequence[object]


def settle_refusal(
    state: RunState, key: str, refusal: Refusal, *, last_resort: bool
) -> MoreWanted | None:
    """Say what is done about a hold that was refused to `key`: people are asked for the shortfall.

    None where it fits by now, as others gave room back. Raises `BudgetStop` where the policy asks
    nobody, and `FallbackWanted` where it names a cheaper agent, unless this is that one already
    (`last_resort`).
    """
    policy = policy_for(state, key, refusal.row)
    on_breach = policy.on_breach if policy is not None else "fail"
    if policy is not None and on_breach == "fallback" and not last_resort:
        raise FallbackWanted(policy.fallback_agent_id)
    if on_breach != "ask":
        raise refusal.stop()
    usd, tokens = shortfall(refusal)
    if not usd and not tokens:
        return None
    asked = {"kind": "budget", "question": refusal.message(), **refusal.detail()}
    request = {**asked, "short_usd": usd_text(usd), "short_tokens": tokens}
    row = refusal.row
    return MoreWanted(freeze(request), [row.id, str(row.limit_usd), row.limit_tokens])


def does_not_fit(stop: BudgetStop) -> bool:
    """Return whether a call was not made, rather than made and dearer than its cap (row C41).

    Only then may a composite stop between passes and keep the best so far (row C42).
    """
    return bool(stop.detail["asked_tokens"]) or Decimal(stop.detail["asked_usd"]) > 0


def left_to_parent(state: RunState, act: Activation, stop: BudgetStop) -> bool:
    """Return whether a call that does not fit ends this child alone, not the run.

    So it is where its composite asked to judge that itself (`graceful`), and the child's own cap
    is not what refused.
    """
    parent = state.activations.get(act.parent or "")
    if parent is None or act.index is None or not does_not_fit(stop):
        return False
    child = parent.groups[act.parent_path or ""].children[act.index]
    own = f"node:{state.run_id}:{act.key}"
    return bool(child.get("graceful")) and stop.detail["budget"] != own


def capped_above(state: RunState, act: Activation, stop: BudgetStop) -> Activation | None:
    """Return the composite around `act` whose own cap refused: it fails with its child (C41)."""
    above = state.activations.get(act.parent or "")
    while above is not None and stop.detail["budget"] != f"node:{state.run_id}:{above.key}":
        above = state.activations.get(above.parent or "")
    return above


def breach_in(ended: Mapping[str, Any]) -> BudgetStop | None:
    """Return the breach that ended a child which was run gracefully, None if that was not it."""
    error = ended.get("error") or {}
    if error.get("code") not in BREACH_CODES.values():
        return None
    return BudgetStop(error["code"], error["message"], detail=dict(error.get("detail") or {}))


def shortfall(refusal: Refusal) -> tuple[Decimal, int]:
    """Return by how many USD and tokens a refused hold does not fit, 0 where it does."""
    row = refusal.row
    usd, tokens = Decimal(0), 0
    if row.limit_usd is not None:
        usd = max(row.spent_usd + row.held_usd + refusal.usd - row.limit_usd, Decimal(0))
    if row.limit_tokens is not None:
        tokens = max(row.spent_tokens + row.held_tokens + refusal.tokens - row.limit_tokens, 0)
    return usd, tokens


def announce_thresholds(tx: Transition, crossed: list[tuple[BudgetRow, int]]) -> None:
    """Emit one event for each threshold that spending has just passed, never twice."""
    for row, threshold in crossed:
        row.reached = max(row.reached, threshold)
        if row.level == "node" or (row.id, threshold) in tx.state.thresholds:
            continue
        data: BudgetThresholdReached = {
            "budget": row.id,
            "level": row.level,
            "threshold": threshold,
            "spent_usd": usd_text(row.spent_usd),
            "limit_usd": usd_text_or_none(row.limit_usd),
            "spent_tokens": row.spent_tokens,
            "limit_tokens": row.limit_tokens,
        }
        tx.emit("BudgetThresholdReached", None, data)
