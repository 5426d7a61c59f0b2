"""What a call gave, as data: recorded where its run is, also by a worker that did not make the call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from engine.core.budgets.ledger import BudgetRow, Refusal
from engine.core.budgets.money import usd_text
from engine.core.decide.endings import fail_step
from engine.core.decide.holds import announce_thresholds
from engine.core.state.event_types.steps import StepCompleted, StepFailed
from engine.core.values.json import freeze
from engine.integrations.models.chat import CUT
from engine.runtime.stores.requests import Wish

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.core.errors import BudgetStop

LATE = "outcome"
"""The kind of a request that leaves an outcome to the worker that has the run by now."""


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The outcome of one sent call, named by its intent: `seq` is that of the `StepIntended`.

    It counts once, and only while that intent is the step's last and open: a call that was sent
    again since, or whose hold was booked as spent, has its own outcome.
    """

    key: str
    attempt: int
    path: str
    seq: int
    kind: Literal["done", "failed", "unknown"]
    described: Mapping[str, Any]
    result: Any = None
    error: Mapping[str, Any] | None = None
    """The failure as its step keeps it; of an unknown outcome `code` and `message`."""
    hold: str | None = None
    tokens: int = 0
    usd: Decimal | None = None
    """What the call cost; None where that is nothing, or all that is held."""

    def __call__(self, tx: Transition) -> BudgetStop | None:
        """Record it; return why what it cost passed a cap after all. Nothing where it does not count."""
        if not self.counts(tx):
            return None
        if self.kind == "done":
            return self._done(tx)
        if self.kind == "unknown":
            assert self.error is not None
            named = {"message": self.error["message"], "code": self.error["code"]}
            fail_step(tx, self.key, self.attempt, self.path, hold_id=self.hold, **named)
        else:
            self._failed(tx)
        return None

    def counts(self, tx: Transition) -> bool:
        """Return whether the intent is open, and none came after it."""
        act = tx.state.activations.get(self.key)
        step = None if act is None else act.steps.get((self.attempt, self.path))
        return step is not None and step.status == "intended" and step.seq == self.seq

    def _done(self, tx: Transition) -> BudgetStop | None:
        data: StepCompleted = {"path": self.path, "attempt": self.attempt, "result": self.result}
        data |= self.described  # type: ignore[typeddict-item]
        if self.hold is None or self.usd is None:
            tx.emit("StepCompleted", self.key, data)
            return None
        cost = usd_text(self.usd)
        usage = self.result["usage"]
        data |= {"hold": self.hold, "tokens": self.tokens, "cost_usd": cost, "usage": usage}
        if self.result["finish_reason"] == CUT:
            data["cut"] = True
        hold = tx.ledger.holds.get(self.hold)
        crossed = tx.ledger.settle(self.hold, self.tokens, self.usd)
        tx.emit("StepCompleted", self.key, data)
        announce_thresholds(tx, crossed)
        row = None if hold is None else tx.ledger.over(hold, self.tokens, self.usd)
        return None if row is None else Refusal(row, 0, Decimal(0)).stop()

    def _failed(self, tx: Transition) -> None:
        crossed: list[tuple[BudgetRow, int]] = []
        data: StepFailed = {"path": self.path, "attempt": self.attempt, "error": self.error}  # type: ignore[typeddict-item]
        data |= self.described  # type: ignore[typeddict-item]
        if self.hold is not None:
            usd, state = self.usd or Decimal(0), "released" if self.usd is None else "settled"
            crossed = tx.ledger.settle(self.hold, self.tokens, usd, state)
            data |= {"hold": self.hold, "tokens": self.tokens, "cost_usd": usd_text(usd)}
        tx.emit("StepFailed", self.key, data)
        announce_thresholds(tx, crossed)

    @property
    def wish(self) -> Wish:
        """The same as a request to whoever has the run."""
        said = {name: getattr(self, name) for name in self.__slots__}
        cost = {} if self.usd is None else {"usd": usd_text(self.usd)}
        return Wish(LATE, {**said, "usd": None, **cost}, "engine")


def outcome_of(payload: Mapping[str, Any]) -> CallOutcome:
    """Return the outcome that a request leaves."""
    usd = payload["usd"]
    frozen = {name: freeze(payload[name]) for name in ("described", "result", "error")}
    return CallOutcome(**{**payload, **frozen, "usd": None if usd is None else Decimal(usd)})
