"""A served Graphwright with workflows that programs may call, and the tokens with which they do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.e2e.documents import agent
from tests.e2e.server import Client, QuickServer, Server, serving
from tests.e2e.test_kill import add_graph, line, ready, tool

NAMED = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string", "minLength": 2}},
}
ORDERED = {
    "type": "object",
    "required": ["order"],
    "properties": {"order": {"type": "string"}},
}


def said(value: str) -> dict[str, Any]:
    """Return a node whose value is the result of the run."""
    return {
        "id": "out",
        "type": "output",
        "label": "Out",
        "read_keys": ["input"],
        "config": {"value": value},
    }


APPROVE = {
    "id": "review",
    "type": "approval",
    "label": "Refund 250",
    "config": {},
}
SLEEP = {"id": "sleep", "type": "delay", "label": "Sleep", "config": {"duration_ms": 2_000}}
CHARGE = {**tool("pay"), "config": {"tool_id": "pay", "arguments": {"order": "{{ input }}"}}}
SPEAK = agent("speak", "speaker")
SPEAK["config"]["emit_message"] = True
DOCUMENTS: dict[str, dict[str, Any]] = {
    "greet": {
        **line("greet", said("'Hello ' + input.name")),
        "interface": {"inputs": NAMED},
        "description": "Greets somebody by name.",
    },
    "echo": line("echo", said("'You said ' + input")),
    "refund": line("refund", APPROVE, said("'refunded'")),
    "order": {**line("order", tool("pay"), SLEEP), "interface": {"inputs": ORDERED}},
    "chat-order": line("chat-order", CHARGE, SLEEP),
    "speak": {
        **line("speak", SPEAK, SLEEP),
        "agents": [{"id": "speaker", "model": "builtin/extractive"}],
    },
    "broken": line("broken", said("input.nothing.at.all")),
}


@dataclass
class House:
    """The server, its owner, and what they offer."""

    server: Server
    owner: Client
    workspace: str
    graphs: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server.port}"

    @property
    def mcp(self) -> str:
        """Where its MCP server is."""
        return f"{self.address}/mcp/{self.workspace}/"

    def token(self, *scopes: str, graphs: tuple[str, ...] = (), **more: Any) -> str:
        """Return the text of a new token."""
        body = {
            "name": "ci-bot",
            "scopes": list(scopes) or ["*"],
            "graphs": [self.graphs[slug] for slug in graphs],
            **more,
        }
        return str(self.owner.post("/api/tokens/", body)["token"])

    def runs(self, slug: str) -> list[dict[str, Any]]:
        """Return the runs of a workflow."""
        return list(self.owner.get(f"/api/runs/?graph={self.graphs[slug]}")["results"])

    def sleeps(self, slug: str) -> bool:
        """Whether a run of a workflow is past its payment: the outcome is on record."""
        return any(
            event["type"] == "NodeCompleted" and event["node"] != "sleep"
            for run in self.runs(slug)
            for event in self.owner.events(run["id"])
        )


@contextmanager
def house(folder: Path, template: Path, **environ: str) -> Iterator[House]:
    """Give a house whose workflows are published and offered as tools and as chat models."""
    with serving(folder, QuickServer, template, **environ) as server:
        yield furnished(server)


def furnished(server: Server) -> House:
    """Start a server, publish the workflows, and offer them."""
    owner = ready(server)
    made = House(server, owner, "my-workspace")
    for name, document in DOCUMENTS.items():
        graph = add_graph(owner, document)
        revision = owner.get(f"/api/graphs/{graph}/")["revision"]
        owner.post(f"/api/graphs/{graph}/publish/", {"revision": revision})
        owner.ok("PUT", f"/api/graphs/{graph}/offer/", {"tool_name": name, "chat": True})
        made.graphs[name] = graph
    return made
