"""A published workflow with a webhook, and a sender that signs as real ones do."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from standardwebhooks.webhooks import Webhook

from builder.doors.triggers import verbs as triggers
from builder.models import Graph, Trigger
from builder.services.graphs import graphs
from tests.builder.conftest import People

Made = Callable[..., "Sender"]


@dataclass
class Sender:
    """Whoever calls a webhook, with the secret that both sides know."""

    trigger: Trigger
    secret: str
    client: Client = field(default_factory=lambda: Client(enforce_csrf_checks=True))

    def post(self, body: bytes, headers: dict[str, str], query: str = "") -> Any:
        kind = headers.pop("Content-Type", "application/json")
        path = f"/hooks/{self.trigger.address}{query}"
        return self.client.generic("POST", path, body, content_type=kind, headers=headers)

    def standard(self, value: Any, name: str = "msg_1", *, at: float | None = None) -> Any:
        """Send as the Standard Webhooks library signs."""
        return self.post(*self.signed(value, name, at=at))

    def signed(
        self, value: Any, name: str = "msg_1", *, at: float | None = None
    ) -> tuple[bytes, dict[str, str]]:
        body = json.dumps(value)
        moment = datetime.fromtimestamp(time.time() if at is None else at, UTC)
        return body.encode(), {
            "webhook-id": name,
            "webhook-timestamp": str(int(moment.timestamp())),
            "webhook-signature": Webhook(self.secret).sign(name, moment, body),
        }

    def github(self, value: Any, name: str = "guid-1", event: str = "push") -> Any:
        body = json.dumps(value).encode()
        mac = hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()
        headers = {
            "X-Hub-Signature-256": f"sha256={mac}",
            "X-GitHub-Delivery": name,
            "X-GitHub-Event": event,
        }
        return self.post(body, headers)


@pytest.fixture
def hook(people: People, graph: Graph) -> Made:
    """Return what makes a webhook of the published workflow."""
    graphs.publish(people.alice, graph, revision=1)

    def make(signature: str = "standard", **wanted: Any) -> Sender:
        config = {"signature": signature, **wanted.pop("config", {})}
        asked = triggers.Wanted(name="Orders", config=config, on=True, **wanted)
        row, secret = triggers.create(people.alice, graph, asked)
        return Sender(row, secret or wanted["secret"])

    return make
