"""A model server that a workspace accepted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.integrations.models.chat import Price
from engine.integrations.models.discovery import FoundProvider
from engine.integrations.models.model_lists import Listed, Server
from engine.integrations.models.servers.capabilities import UNSAID, Capabilities
from engine.integrations.models.servers.protocols import Protocol


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model server that an owner accepted. `id` is its provider name.

    Without `models` every name is passed on. `price` holds where nobody and no table has one;
    servers on one's own machine cost zero.
    `models` are those last known, `named` those that a person vouches for: the server may not list
    them. `capabilities` are of single models. `extra_body` is sent with every question.
    `accepted` says how far beyond the public web its exact origin was accepted.
    """

    id: str
    base_url: str
    label: str = ""
    models: tuple[str, ...] = ()
    price: Price | None = None
    named: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    accepted: Literal["public", "private", "machine"] = "public"
    protocol: Protocol = "openai_chat"
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    capabilities: Mapping[str, Capabilities] = field(default_factory=dict)

    @classmethod
    def of(cls, found: FoundProvider) -> Endpoint:
        """Return the endpoint that accepting the local server `found` gives."""
        return cls(
            found.provider,
            found.base_url,
            found.label,
            found.models,
            found.price,
            accepted="machine",
        )

    def can(self, name: str) -> Capabilities:
        """Return what may be asked of one of its models."""
        return self.capabilities.get(name, UNSAID)

    def server(self, secret: str | None) -> Server:
        """Return where it lists its models."""
        return Server(self.protocol, self.base_url, self.headers, secret)

    def names(self, listed: Listed) -> tuple[str, ...]:
        """Return what it has: what it lists now, else what was last known, and what is named."""
        known = self.models if listed.names is None else listed.names
        return tuple(dict.fromkeys((*self.named, *known)))
