"""People of the simulation: they answer late, twice, at once and at times wrongly."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

from engine.core.errors import RequestRefused, StoreError
from engine.core.people.asked_calls import TOOL_CALL
from engine.core.state.events import BREAKPOINT_ID
from engine.core.state.requests import Actor, Answer, Asks
from engine.runtime.mailbox import wishes
from tests.simulation.ports import ask

if TYPE_CHECKING:
    from tests.simulation.boot import Boot
    from tests.simulation.harness import Simulation

ROLES = frozenset({"reviewer", "admin"})
"""They may raise what runs share, too."""

ANN = Actor("ann", "Ann", roles=ROLES)
BOB = Actor("bob", "Bob", roles=ROLES)
OTTO = Actor("otto", "Otto", roles=frozenset({"author"}))
FAIR_TO_ASK = frozenset(
    {"InterruptClosed", "InterruptNotFound", "NotAskedBack", "AlreadyAskedBack", "AskedBackEnough"}
)
FAIR = frozenset({"AlreadyDecided", "InterruptClosed", "InterruptNotFound"})
"""Refusals that are nobody's fault."""


class People:
    """Those who answer what the runs of one schedule ask."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._asks = Random(sim.seed + 2_000_000)
        """Its own dice: what else happens stays as it was."""
        self._says = Random(sim.seed + 3_000_000)

    async def live(self, boot: Boot) -> None:
        """Answer what is open, sometimes two at once, twice, late or wrongly."""
        while True:
            await boot.clock.sleep(self._sim.rng.choice((0.3, 2.0, 9.0, 40.0)))
            for run, shadow in list(self._sim.checker.shadows.items()):
                for request_id in list(shadow.state.interrupts):
                    if self._sim.world.faults and self._sim.rng.random() < 0.3:
                        continue
                    await self._ask_back(boot, run, request_id)
                    clicks = [self._click(boot, run, request_id, ANN)]
                    if self._sim.rng.random() < 0.4:
                        clicks.append(self._click(boot, run, request_id, BOB))
                    await asyncio.gather(*clicks)
                for request_id in list(shadow.resolved)[-2:]:
                    if self._sim.rng.random() < 0.2:
                        await self._click(boot, run, request_id, BOB)

    async def _ask_back(self, boot: Boot, run: str, request_id: str) -> None:
        """Ask Otto about an approval at times; he replies at times, and at times too late."""
        opened = self._sim.checker.shadows[run].state.interrupts.get(request_id)
        if opened is None or opened.kind != "approval" or self._asks.random() < 0.4:
            return
        said = [wishes.ask_back(request_id, Asks(OTTO, "Why?"), ANN)]
        if self._asks.random() < 0.5:
            said.append(wishes.answer_back(request_id, "So.", OTTO))
        if self._asks.random() < 0.2:
            said.append(wishes.take_back(request_id, BOB))
        for wish in said:
            try:
                await ask(boot, run, wish)
            except RequestRefused as refused:
                if refused.code not in FAIR_TO_ASK:
                    self._sim.violate(f"I7: asking back was refused: {refused.code} {refused}")
            except StoreError:
                pass

    async def _click(self, boot: Boot, run: str, request_id: str, actor: Actor) -> None:
        opened = self._sim.checker.shadows[run].state.interrupts.get(request_id)
        token = boot.runner.token(request_id)
        answer = self._answer(run, opened, token)
        try:
            record = await self._say(boot, run, request_id, answer, actor)
        except RequestRefused as refused:
            if refused.code == "NotEligible" and _is_anns(opened, actor):
                return
            moved = opened is not None and opened.kind == "budget"  # the limit, meanwhile
            if refused.code not in FAIR | ({"ContentChanged"} if moved else set()):
                self._sim.violate(f"I7: an answer was refused: {refused.code} {refused}")
            return
        except StoreError:
            return
        if record["outcome"] == "open":
            return
        known = self._sim.accepted.setdefault(request_id, record)
        if (known.get("decision"), known.get("answer"), known.get("by")) != (
            record.get("decision"),
            record.get("answer"),
            record.get("by"),
        ):
            self._sim.violate(f"I7: {request_id} accepted as {known} and as {record}")

    async def _say(
        self, boot: Boot, run: str, request_id: str, answer: Answer, actor: Actor
    ) -> dict[str, Any]:
        """Answer by a row, as people on pages do, or at times in the process that has the run."""
        if self._says.random() < 0.7:
            return await ask(boot, run, wishes.answer(request_id, answer, actor))
        # who goes on from a breakpoint names the run: no list finds it by the question
        place = run if request_id.startswith(BREAKPOINT_ID) else None
        return await boot.runner.answer(request_id, answer, actor, run_id=place)

    def _answer(self, run: str, opened: Any, token: str) -> Answer:
        kind = "text" if opened is None else opened.kind
        if kind == "approval":
            said = self._sim.rng.choice(("approved", "approved", "rejected"))
            edits = None
            if opened.request.get("approval_type") == TOOL_CALL and said == "approved":
                edits = {
                    name: f"{opened.request['data'][name]}~"
                    for name in opened.request["editable_keys"]
                }
            return Answer(token, decision=said, edits=edits)
        if kind == "breakpoint":
            return Answer(
                token, decision=self._sim.rng.choice(("continue", "step", "step", "stop"))
            )
        if kind == "budget":
            stop = self._sim.world.chance(0.2)
            return Answer(token, decision="stop" if stop else "raise")
        if kind == "in_doubt":
            return self._resolve_doubt(run, opened, token)
        return Answer(token, values=self._sim.rng.choice(("yes", "surely")))

    def _resolve_doubt(self, run: str, opened: Any, token: str) -> Answer:
        """Look at what really happened, as a careful person does."""
        if opened.request["reason"] != "unknown_outcome":
            return Answer(token, decision="retry")
        order = str(opened.request["arguments"]["order"])
        if self._sim.world.executed[order]:
            return Answer(token, decision="happened", result={"done": order})
        return Answer(token, decision=self._sim.rng.choice(("retry", "retry", "skip")))


def _is_anns(opened: Any, actor: Actor) -> bool:
    """Return whether only Ann, who started the run, goes on from there."""
    return opened is not None and opened.kind == "breakpoint" and actor is not ANN
