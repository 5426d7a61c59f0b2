"""The doors of an installation, all of them made over HTTP: addresses, secrets, tokens, a channel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from tests.chaos.doors.workflows import FOLLOWS, RANG, TALKED, door_documents
from tests.e2e.server import Client

CRON: Final = "* * * * *"


@dataclass(frozen=True, slots=True)
class Doorway:
    """Where each door is, and what proves who comes."""

    owner: Client
    graphs: dict[str, str]
    hook: str
    secret: str
    token: str
    workspace: str
    schedule: str
    first_due: str
    channel: str


def doorway(owner: Client, recorder: str, workspace: str = "my-workspace") -> Doorway:
    """Make every door at a server that is up; `recorder` is also who is told."""
    graphs = {name: _published(owner, made) for name, made in door_documents(recorder).items()}
    for name in (RANG, TALKED):
        offer = {"tool_name": name, "chat": True}
        owner.ok("PUT", f"/api/graphs/{graphs[name]}/offer/", offer)
    place = f"/api/graphs/{graphs[RANG]}/triggers/"
    by_body = {"door": "'webhook'", "key": "body.key"}
    signed = {"kind": "webhook", "config": {"signature": "standard"}, "mapping": by_body}
    hook = owner.post(place, signed)
    due = {"door": "'schedule'", "key": "body.due"}
    times = {"cron": CRON, "zone": "UTC", "missed": "all"}
    schedule = owner.post(place, {"kind": "schedule", "config": times, "mapping": due})
    ended = {"on": ["run.completed"], "workflow": graphs[RANG]}
    cause = {"door": "'event'", "key": "body.run.id"}
    event = {"kind": "event", "config": ended, "mapping": cause}
    owner.post(f"/api/graphs/{graphs[FOLLOWS]}/triggers/", event)
    token = owner.post("/api/tokens/", {"name": "caller", "scopes": ["runs:start"]})["token"]
    return Doorway(
        owner,
        graphs,
        urlsplit(hook["address"]).path,
        hook["secret"],
        token,
        workspace,
        schedule["id"],
        schedule["next_at"],
        _channel(owner, recorder, graphs[RANG]),
    )


def _channel(owner: Client, recorder: str, graph: str) -> str:
    """Make a webhook out that tells of each run of a workflow that completed."""
    wanted = {"of": "workspace", "kind": "webhook", "name": "Ledger", "address": f"{recorder}/told"}
    channel = owner.post("/api/channels/", wanted)["id"]
    tried = owner.post(f"/api/channels/{channel}/test/")
    assert tried["arrived"], tried
    rule = {"channel": channel, "kinds": ["run.completed"], "graph": graph}
    owner.post("/api/notice-rules/", rule)
    return str(channel)


def _published(owner: Client, document: dict[str, Any]) -> str:
    made = owner.post("/api/graphs/", {"document": document})
    errors = [p for p in made["problems"] if p["severity"] == "error"]
    assert not errors, errors
    owner.post(f"/api/graphs/{made['id']}/publish/", {"revision": made["revision"]})
    return str(made["id"])
