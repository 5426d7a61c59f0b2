"""Google's models over the Gemini API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.integrations.models.pydantic_ai import Connection

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

PROVIDER = "google"
LABEL = "Google Gemini"
BASE_URL = "https://generativelanguage.googleapis.com"
KEY_NAMES = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
OVERHEAD_TOKENS = 256


def connect(name: str, secret: str, base_url: str = BASE_URL) -> Connection:
    """Return how the model `name` is reached with the key `secret`. It reads no idempotency key."""

    def build(http_client: httpx2.AsyncClient) -> Model:
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        provider = GoogleProvider(api_key=secret, base_url=base_url, http_client=http_client)
        return GoogleModel(name, provider=provider)

    return Connection(
        model=f"{PROVIDER}/{name}",
        base_url=base_url,
        build=build,
        secret=secret,
        overhead_tokens=OVERHEAD_TOKENS,
        idempotency_header=None,
    )
