"""What a function tool may know about the run that calls it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.values.json import JsonObject
from engine.integrations.models.chat import CallOrigin


@dataclass(frozen=True, slots=True)
class ToolContext:
    """In whose name a tool is called (rows S10, S18). A parameter of this type receives it.

    Send `idempotency_key` with every outside call that the tool makes. `context` is the run's
    whole context; a run without tenant or user is legal, then those are None.
    """

    run_id: str
    graph_id: str
    node_id: str
    agent_id: str | None
    workspace_id: str | None
    idempotency_key: str
    context: JsonObject
    metadata: JsonObject

    @classmethod
    def of(cls, origin: CallOrigin) -> ToolContext:
        """Return what `origin` says."""
        return cls(
            run_id=origin.run_id,
            graph_id=origin.graph_id,
            node_id=origin.node_id,
            agent_id=origin.agent_id,
            workspace_id=origin.workspace_id,
            idempotency_key=origin.idempotency_key,
            context=origin.context,
            metadata=origin.metadata,
        )

    @property
    def tenant(self) -> str | None:
        """The tenant of the run's context."""
        return _text(self.context.get("tenant_id"))

    @property
    def user(self) -> str | None:
        """The user of the run's context."""
        return _text(self.context.get("user_id"))

    @property
    def correlation_id(self) -> str | None:
        """What ties this run to a request of another system."""
        return _text(self.context.get("correlation_id"))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
