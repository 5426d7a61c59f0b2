"""Who works in the installation and what they use, all of it set up over HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tests.chaos import desk
from tests.chaos.doors.doorway import Doorway, doorway
from tests.chaos.workflows import Workflow, workflows
from tests.e2e.server import Client

REVIEWERS: Final = ("Rita", "Ravi", "Rosa")
PASSWORD: Final = "correct horse battery"
PATIENCE_S: Final = 10
"""How long somebody waits for an answer of a server that is being broken."""
PROVIDER: Final = {
    "id": "recorder",
    "models": ["fake-small"],
    "prices": {"fake-small": {"input_per_million": "1", "output_per_million": "2"}},
    "accept_address": True,
}


@dataclass(frozen=True, slots=True)
class House:
    """An installation that is ready to be used."""

    owner: Client
    reviewers: tuple[Client, ...]
    graphs: dict[str, str]
    flows: dict[str, Workflow]
    budget: str
    purse_tokens: int
    doorway: Doorway

    def booked_of_purse(self) -> int:
        """Return what the product says all runs of `purse` have spent."""
        found = self.owner.get("/api/budgets/")["results"]
        return sum(int(b["used_tokens"]) for b in found if b["id"] == self.budget)


def furnished(port: int, recorder: str, purse_tokens: int) -> House:
    """Make people, provider, workflows and the budget of `purse` at a server that is up."""
    owner = Client(port)
    owner.set_up()
    owner.post("/api/models/providers/", {**PROVIDER, "base_url": f"{recorder}/v1"})
    reviewers = tuple(_joined(owner, name) for name in REVIEWERS)
    desk.furnish(owner, recorder)
    flows = dict(workflows(recorder))
    graphs = {name: _published(owner, flow.document) for name, flow in flows.items()}
    purse = {"graph": graphs["purse"], "period": "total", "limit_tokens": purse_tokens}
    budget = owner.post("/api/budgets/", purse)["id"]
    doors = doorway(owner, recorder)
    for person in (owner, *reviewers):
        person.timeout_s = PATIENCE_S
    return House(owner, reviewers, graphs, flows, str(budget), purse_tokens, doors)


def _joined(owner: Client, name: str) -> Client:
    code = owner.post("/api/invitations/", {"role": "reviewer"})["code"]
    person = Client(owner.port)
    person.csrf = person.get("/api/session/")["csrf_token"]
    about = {"name": name, "email": f"{name.lower()}@example.com", "password": PASSWORD}
    person.csrf = person.post("/api/join/", {"code": code, **about})["csrf_token"]
    return person


def _published(owner: Client, document: dict[str, Any]) -> str:
    made = owner.post("/api/graphs/", {"document": document})
    errors = [p for p in made["problems"] if p["severity"] == "error"]
    assert not errors, errors
    body = {"revision": made["revision"]}
    owner.post(f"/api/graphs/{made['id']}/publish/", body)
    return str(made["id"])
