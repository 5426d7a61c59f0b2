"""Webhooks out, as Standard Webhooks say: an id that stays, a time, a signature for each secret."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from engine.integrations import standard_webhooks as standard
from engine.integrations.channels.kind import Kind, Place, Post, hint_of, https_target
from engine.integrations.egress import Origin


def signed(place: Place, secrets: Sequence[str], name: str, at_s: int, body: bytes) -> Post:
    """Return the POST of one event; while a secret is changed it carries two signatures."""
    proof = standard.headers(secrets, name, at_s, body)
    return Post(place.address, body, {"Content-Type": "application/json", **proof})


def _check(place: Place, allowed: Collection[Origin]) -> str:
    return hint_of(https_target(place, allowed))


WEBHOOK: Final = Kind(_check)
