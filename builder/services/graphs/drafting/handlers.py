"""The function behind drafts: the engine knows it, and no workflow of people may name it."""

from __future__ import annotations

from builder.services.graphs.drafting.conversation import describe
from builder.services.graphs.drafting.workflow import HANDLER
from engine.core.node_types.registry import Handler, Handlers


class WithDrafting(Handlers):
    """The handlers of an installation, and the one that drafts. Lists and checks know only the former."""

    def __init__(self, around: Handlers) -> None:
        super().__init__()
        self._around = around
        self._own = Handlers()
        self._own.register(HANDLER)(describe)

    def find(self, name: str) -> Handler | None:
        """Return the function of a name; imports nothing."""
        return self._around.find(name) or self._own.find(name)

    def all(self) -> list[Handler]:
        """Return what people may name."""
        return self._around.all()
