"""A run, and drafts that are compared with it: what tests of stale nodes share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.graph.document import parse_document
from engine.core.state.program import Program
from engine.core.state.requests import ForkRun
from engine.core.state.run_state import RunState
from engine.local import Local
from tests.contract.harness import started


@dataclass
class Deeds:
    """Handlers that note what they found: a node gives its id and all that it reads."""

    called: list[str] = field(default_factory=list)

    def handlers(self, *names: str) -> dict[str, Callable[..., Any]]:
        """Return one handler for each name."""
        return {name: self._of(name) for name in names}

    def _of(self, name: str) -> Callable[..., Any]:
        def call(ctx: Any, params: Any) -> Any:
            self.called.append(name)
            seen = {k: v for k, v in ctx.view.memory.items() if k != name}
            said = "".join(f"({key}:{seen[key]})" for key in sorted(seen))
            return {"data": {name: f"{(params or {}).get('say', name)}{said}"[:200]}}

        return call


@dataclass
class Drafted:
    """A run `r` that is over, and what was called since."""

    local: Local
    deeds: Deeds

    @classmethod
    async def of(cls, document: Mapping[str, Any], *names: str, **more: Any) -> Drafted:
        """Run a document to its rest."""
        deeds = Deeds()
        handlers = deeds.handlers(*names) | more.pop("handlers", {})
        local, _ = await started(document, more.pop("script", None), handlers=handlers, **more)
        deeds.called.clear()
        return cls(local, deeds)

    def program(self, document: Mapping[str, Any]) -> Program:
        """Return a draft ready to run."""
        spec, problems = parse_document(dict(document))
        assert spec is not None, problems
        return self.local.graphs.program_of(spec)

    async def plan(self, document: Mapping[str, Any], pins: Any = None) -> dict[str, Any]:
        """Return the plan of a run of only what is stale."""
        found = await self.local.runner.forks.stale_plan("r", self.program(document), pins or {})
        return found.to_json()

    async def marks(self, document: Mapping[str, Any], pins: Any = None) -> dict[str, str]:
        """Return why nodes are stale."""
        plan = await self.plan(document, pins)
        return {mark["node"]: mark["why"] for mark in plan["stale"]}

    async def again(self, document: Mapping[str, Any], **more: Any) -> RunState:
        """Run what is stale and return how that run rests."""
        new_id = self.local.runner.entropy.new_id()
        request = ForkRun(new_id, None, "ann", version_id="draft", stale=True, **more)
        run_id = await self.local.runner.forks.fork("r", request, self.program(document))
        return await self.local.runner.settled(run_id)

    async def close(self) -> None:
        """Let go of the runner."""
        await self.local.runner.close()
