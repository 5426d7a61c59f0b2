"""Anthropic's models over its Messages API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.integrations.models.pydantic_ai import Connection

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

PROVIDER = "anthropic"
LABEL = "Anthropic"
BASE_URL = "https://api.anthropic.com"
KEY_NAMES = ("ANTHROPIC_API_KEY",)
OVERHEAD_TOKENS = 1024
"""The provider adds a system prompt of its own for tools (up to some 530 tokens) and schemas."""


def connect(name: str, secret: str, base_url: str = BASE_URL) -> Connection:
    """Return how the model `name` is reached with the key `secret`."""

    def build(http_client: httpx2.AsyncClient) -> Model:
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        provider = AnthropicProvider(api_key=secret, base_url=base_url, http_client=http_client)
        return AnthropicModel(name, provider=provider)

    return Connection(
        model=f"{PROVIDER}/{name}",
        base_url=base_url,
        build=build,
        secret=secret,
        overhead_tokens=OVERHEAD_TOKENS,
    )
