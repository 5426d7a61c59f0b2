"""OpenAI's models over its Chat Completions API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.integrations.models.pydantic_ai import Connection

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

PROVIDER = "openai"
LABEL = "OpenAI"
BASE_URL = "https://api.openai.com/v1"
KEY_NAMES = ("OPENAI_API_KEY",)
OVERHEAD_TOKENS = 128
"""Tools are shown to the model in a form of the provider's own, somewhat longer than sent."""


def connect(name: str, secret: str, base_url: str = BASE_URL) -> Connection:
    """Return how the model `name` is reached with the key `secret`."""

    def build(http_client: httpx2.AsyncClient) -> Model:
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai import OpenAIProvider

        provider = OpenAIProvider(base_url=base_url, api_key=secret, http_client=http_client)
        whole = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
        return OpenAIChatModel(name, provider=provider, profile=whole)

    return Connection(
        model=f"{PROVIDER}/{name}",
        base_url=base_url,
        build=build,
        secret=secret,
        overhead_tokens=OVERHEAD_TOKENS,
    )
