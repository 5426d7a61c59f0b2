"""Any server that speaks OpenAI's Chat Completions API: Ollama, LM Studio, llama-server, vLLM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.integrations.models.pydantic_ai import Connection

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

NO_KEY = "none"
"""Sent as the key to servers that ask for none; the SDK insists on one."""
OVERHEAD_TOKENS = 1024
"""Chat templates of open models write tools out at length."""


def connect(provider_id: str, name: str, base_url: str, secret: str | None = None) -> Connection:
    """Return how the model `name` of the server at `base_url` (ending in `/v1`) is reached."""

    def build(http_client: httpx2.AsyncClient) -> Model:
        from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai import OpenAIProvider

        provider = OpenAIProvider(
            base_url=base_url, api_key=secret or NO_KEY, http_client=http_client
        )
        profile = OpenAIModelProfile(
            supports_json_schema_output=True,
            openai_chat_supports_max_completion_tokens=False,
            openai_chat_streaming_requires_finish_reason=True,  # else a cut answer looks whole
        )
        latest = OpenAIChatModelSettings(openai_continuous_usage_stats=True)

        class LatestUsage(OpenAIChatModel):
            """Some servers count in every chunk what was used so far: the last count is all of it."""

            def _get_stream_options(self, _settings: Any) -> Any:
                return {"include_usage": True}  # as always: few servers know the other option

        return LatestUsage(name, provider=provider, profile=profile, settings=latest)

    return Connection(
        model=f"{provider_id}/{name}",
        base_url=base_url,
        build=build,
        secret=secret,
        overhead_tokens=OVERHEAD_TOKENS,
    )
