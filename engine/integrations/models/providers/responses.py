"""Any server that speaks OpenAI's Responses API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.integrations.models.pydantic_ai import Connection

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

OVERHEAD_TOKENS = 1024
"""The server may write tools out at length."""


def connect(name: str, secret: str, base_url: str) -> Connection:
    """Return how the model `name` of the server at `base_url` (ending in `/v1`) is reached.

    Nothing is kept at the server for later: each call sends the whole conversation.
    """

    def build(http_client: httpx2.AsyncClient) -> Model:
        from pydantic_ai.models.openai import OpenAIResponsesModel, OpenAIResponsesModelSettings
        from pydantic_ai.providers.openai import OpenAIProvider

        provider = OpenAIProvider(base_url=base_url, api_key=secret, http_client=http_client)
        apart = OpenAIResponsesModelSettings(openai_store=False)
        return OpenAIResponsesModel(name, provider=provider, settings=apart)

    return Connection(
        model=name,
        base_url=base_url,
        build=build,
        secret=secret,
        overhead_tokens=OVERHEAD_TOKENS,
    )
