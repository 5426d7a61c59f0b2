"""A tool of the outside that an agent asks for, and people decide on: the call is edited and sent once."""

from __future__ import annotations

import json
from typing import Any, Final

from tests.e2e.server import Client

NAME: Final = "desk"
WANTED: Final = "wanted"
"""What the model asks for: nobody approves that."""
EDITED: Final = "approved"
"""What reviewers make of it before they approve."""
PATH: Final = "/effect/unsafe/{tag}/{step}"


def furnish(owner: Client, address: str) -> None:
    """Bring the API whose server is at `address`, and make its one operation a tool."""
    document = json.dumps(_document(address))
    owner.post("/api/tool-sources/", {"name": NAME, "kind": "openapi", "document": document})
    chosen = {"operations": ["refund"], "server": address}
    owner.post(f"/api/tool-sources/{NAME}/operations/", chosen)


def reply(request: dict[str, Any], tag: str) -> dict[str, Any] | None:
    """Return that the model wants the call, None where it has no tool or has heard of it."""
    heard = any(message.get("role") == "tool" for message in request.get("messages", ()))
    if heard or not request.get("tools"):
        return None
    name = request["tools"][0]["function"]["name"]
    return {"tool_calls": [{"name": name, "arguments": {"tag": tag, "step": WANTED}}]}


def _document(address: str) -> dict[str, Any]:
    names = ("tag", "step")
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in names
    ]
    answers = {"200": {"description": "It is done."}}
    refund = {"operationId": "refund", "summary": "Pays money back.", "parameters": parameters}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Desk", "version": "1"},
        "servers": [{"url": address}],
        "paths": {PATH: {"post": {**refund, "responses": answers}}},
    }
