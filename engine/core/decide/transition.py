"""One transition: what a closure may do to a run, all or nothing, at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.core.budgets.ledger import Ledger
from engine.core.state.breakers import Breakers
from engine.core.state.events import Event
from engine.core.state.fold.run import evolve
from engine.core.state.run_state import RunState

if TYPE_CHECKING:
    from engine.core.state.event_types.emit import Emit

MAX_BACK_MS: Final = 60_000
"""How far a clock may be behind a run whose time then stands."""


class Transition:
    """The hand a closure gets: the state to look at, and `emit` to change it.

    Everything emitted carries the transition's one moment `now`; the first event its `cause`.
    `signals` are for other runs and the outside (topic, reference, payload): they become outbox
    rows in the same commit.
    """

    __slots__ = (
        "_cause",
        "asked_at",
        "breakers",
        "emitted",
        "ledger",
        "now",
        "signals",
        "state",
        "told",
        "took_over",
    )

    def __init__(
        self, state: RunState, now: int, ledger: Ledger, breakers: Breakers, cause: str | None
    ) -> None:
        self.state = state
        self.now = now = _moment(state, now)
        self.ledger = ledger
        self.breakers = breakers
        self.emitted: list[Event] = []
        self.signals: list[tuple[str, str, dict[str, Any]]] = []
        self.told: list[tuple[int, dict[str, Any]]] = []
        self.asked_at = now
        """When what is judged was asked: what a person said in time counts, however late it is read."""
        self.took_over = False
        """Whether what nobody executed any more was claimed again."""
        self._cause = cause

    def on_request(self, number: int, asked_at: int) -> None:
        """Do what follows for a request: the next event names it as its cause."""
        self._cause = f"request:{number}"
        self.asked_at = min(asked_at, self.now)

    def tell(self, number: int, told: dict[str, Any]) -> None:
        """Answer the request in the same commit, once; what comes after is not for it."""
        self.told.append((number, told))
        self._cause, self.asked_at = None, self.now

    def append(self, type_: str, key: str | None, data: Any) -> Event:
        """Append an event whose type is not known here, such as one of another run, and apply it."""
        if self._cause is not None:
            data["cause"] = self._cause
            self._cause = None
        state = self.state
        event = Event(state.seq + 1, type_, self.now, key, data)
        self.emitted.append(event)  # first: one that fails half-way has changed the state, too
        evolve(state, event)
        return event

    if TYPE_CHECKING:
        emit: Emit
    else:
        emit = append

    def signal(self, topic: str, ref: str, payload: dict[str, Any]) -> None:
        """Leave word for another run or the outside, delivered after the commit."""
        self.signals.append((topic, ref, payload))


def _moment(state: RunState, now: int) -> int:
    """Return the moment of a transition of a run: its time stands rather than go back a little.

    Clocks of two owners differ, and clocks are set right. By more than that nothing is waited for.
    """
    return state.at if now < state.at <= now + MAX_BACK_MS else now
