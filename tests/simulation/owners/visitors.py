"""People who ask by rows, and who wait while a call may still arrive before they judge it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from engine.core.state.requests import Actor, Answer
from engine.runtime.mailbox import wishes
from tests.simulation.people import People
from tests.simulation.ports import ask

if TYPE_CHECKING:
    from tests.simulation.boot import Boot
    from tests.simulation.owners.schedule import Owners


class Visitors(People):
    """Those who answer what runs ask, on a web process that executes none."""

    async def _click(self, boot: Boot, run: str, request_id: str, actor: Actor) -> None:
        opened = self._sim.checker.shadows[run].state.interrupts.get(request_id)
        if opened is not None and opened.kind == "in_doubt":
            order = (opened.request.get("arguments") or {}).get("order")
            owners = cast("Owners", self._sim)
            if order is not None and owners.world.is_under_way(str(order)):
                return
        await super()._click(boot, run, request_id, actor)

    async def _say(
        self, boot: Boot, run: str, request_id: str, answer: Answer, actor: Actor
    ) -> dict[str, Any]:
        return await ask(boot, run, wishes.answer(request_id, answer, actor))
