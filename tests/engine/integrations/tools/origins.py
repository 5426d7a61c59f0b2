"""In whose name the tests call tools."""

from __future__ import annotations

from typing import Any

from engine.integrations.models.chat import CallOrigin


def origin(**given: Any) -> CallOrigin:
    fields: dict[str, Any] = {
        "run_id": "run-1",
        "graph_id": "support",
        "node_id": "lookup",
        "agent_id": None,
        "idempotency_key": "key-1",
        "workspace_id": "w1",
        "context": {"tenant_id": "t1", "user_id": "ann", "correlation_id": "c-7"},
        "metadata": {"channel": "mail"},
    }
    return CallOrigin(**(fields | given))
