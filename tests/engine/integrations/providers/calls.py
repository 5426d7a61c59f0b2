"""Short ways to make requests and origins in tests."""

from __future__ import annotations

from typing import Any

from engine.core.node_types.conversation import Message
from engine.integrations.models.chat import CallOrigin, ChatRequest


def origin(key: str = "key-1", node: str = "classify", agent: str | None = "triage") -> CallOrigin:
    """Return an origin whose idempotency key is `key`."""
    return CallOrigin(
        run_id="run-1",
        graph_id="support",
        node_id=node,
        agent_id=agent,
        idempotency_key=key,
        workspace_id="w1",
        context={"tenant": "acme"},
        metadata={"channel": "mail"},
    )


def ask(
    text: str, *, system: str = "", model: str = "builtin/extractive", **more: Any
) -> ChatRequest:
    """Return a request with one user message, and a system message if `system` is given."""
    messages = [Message("system", system)] if system else []
    return ChatRequest(model, (*messages, Message("user", text)), **more)
