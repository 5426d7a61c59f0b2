"""The protocols that model servers speak: how a model is reached by each, and how models are listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple

from engine.integrations.models.providers import anthropic, compatible, google, responses
from engine.integrations.models.pydantic_ai import Connection

Protocol = Literal["openai_chat", "openai_responses", "anthropic", "google"]

PROTOCOLS: Final[Mapping[Protocol, str]] = {
    "openai_chat": "OpenAI Chat Completions",
    "openai_responses": "OpenAI Responses",
    "anthropic": "Anthropic Messages",
    "google": "Google Gemini",
}
"""What people call them."""

WITHOUT_BODY: Final = frozenset({"google"})
"""Protocols whose client sends nothing beside what it knows."""
ANTHROPIC_VERSION: Final = "2023-06-01"
LISTED: Final = 1000
"""Models that are asked for at once, where the protocol gives them in pages."""


class ListCall(NamedTuple):
    """The request that a server answers with its models."""

    url: str
    headers: dict[str, str]


def connect(
    protocol: Protocol, provider: str, name: str, base_url: str, secret: str | None
) -> Connection:
    """Return how the model `name` of the server at `base_url` is reached, as `provider/name`."""
    if protocol == "openai_chat":
        return replace(compatible.connect(provider, name, base_url, secret), protocol="openai_chat")
    known = {
        "openai_responses": responses.connect,
        "anthropic": anthropic.connect,
        "google": google.connect,
    }
    found = known[protocol](name, secret or compatible.NO_KEY, base_url)
    return replace(found, model=f"{provider}/{name}", secret=secret, protocol=protocol)


def list_call(protocol: Protocol, base_url: str, secret: str | None) -> ListCall:
    """Return how a server is asked for its models."""
    if protocol == "google":
        headers = {"x-goog-api-key": secret} if secret else {}
        return ListCall(f"{base_url}/v1beta/models?pageSize={LISTED}", headers)
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    if protocol == "anthropic":
        headers["anthropic-version"] = ANTHROPIC_VERSION
        return ListCall(f"{base_url}/v1/models?limit={LISTED}", headers)
    return ListCall(f"{base_url}/models", headers)


def listed_names(protocol: Protocol, answer: object) -> list[Any] | None:
    """Return what an answer lists as names, unjudged; None if it is no list of models."""
    if not isinstance(answer, dict):
        return None
    entries = answer.get("models" if protocol == "google" else "data")
    if not isinstance(entries, list):
        return None
    told = [entry for entry in entries if isinstance(entry, dict)]
    if protocol != "google":
        return [entry.get("id") for entry in told]
    return [
        str(entry.get("name", "")).removeprefix("models/") for entry in told if _generates(entry)
    ]


def _generates(entry: Mapping[str, Any]) -> bool:
    methods = entry.get("supportedGenerationMethods")
    return not isinstance(methods, list) or "generateContent" in methods
