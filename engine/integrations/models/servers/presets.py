"""Presets: what is known of servers that many people use, to fill the form of a new provider."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from engine.integrations.models.servers.protocols import Protocol

Key = Literal["needed", "asked", "none"]


class Preset(NamedTuple):
    """What a form is filled with; all but the protocol may be written over.

    `name` is proposed as the provider's. `base_url` may hold a part in capital letters that a
    person fills in. `key`: `needed`, `asked` by some of these servers, or `none`. `free` proposes
    that its models cost nothing. `known` is the provider whose key alone is set, in place of an
    address. `hint` says in a sentence what differs.
    """

    id: str
    label: str
    protocol: Protocol
    base_url: str
    name: str = ""
    key: Key = "needed"
    free: bool = False
    known: str = ""
    hint: str = ""


_DEPLOYED: Final = (
    "Put the name of your resource into the address, and name your deployments as models."
)
_LOCAL: Final = "Where it runs on another machine, put its address here."

PRESETS: Final[tuple[Preset, ...]] = (
    Preset("openai", "OpenAI", "openai_chat", "https://api.openai.com/v1", known="openai"),
    Preset(
        "openai-responses",
        "OpenAI, by the Responses API",
        "openai_responses",
        "https://api.openai.com/v1",
        "OpenAI Responses",
    ),
    Preset("anthropic", "Anthropic", "anthropic", "https://api.anthropic.com", known="anthropic"),
    Preset(
        "google",
        "Google Gemini",
        "google",
        "https://generativelanguage.googleapis.com",
        known="google",
    ),
    Preset(
        "azure",
        "Azure OpenAI",
        "openai_chat",
        "https://RESOURCE.openai.azure.com/openai/v1",
        "Azure",
        hint=_DEPLOYED,
    ),
    Preset(
        "bedrock",
        "Amazon Bedrock",
        "openai_chat",
        "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1",
        "Bedrock",
        hint="With an API key of Bedrock, in your region. It may list no models: name those you use.",
    ),
    Preset("mistral", "Mistral", "openai_chat", "https://api.mistral.ai/v1", "Mistral"),
    Preset("groq", "Groq", "openai_chat", "https://api.groq.com/openai/v1", "Groq"),
    Preset("openrouter", "OpenRouter", "openai_chat", "https://openrouter.ai/api/v1", "OpenRouter"),
    Preset(
        "ollama",
        "Ollama",
        "openai_chat",
        "http://127.0.0.1:11434/v1",
        "My Ollama",
        "none",
        free=True,
        hint=_LOCAL,
    ),
    Preset(
        "lmstudio",
        "LM Studio",
        "openai_chat",
        "http://127.0.0.1:1234/v1",
        "My LM Studio",
        "none",
        free=True,
        hint=_LOCAL,
    ),
    Preset(
        "vllm",
        "vLLM",
        "openai_chat",
        "http://127.0.0.1:8000/v1",
        "My vLLM",
        "asked",
        free=True,
        hint=_LOCAL,
    ),
    Preset(
        "llama-server",
        "llama-server (llama.cpp)",
        "openai_chat",
        "http://127.0.0.1:8080/v1",
        "My llama-server",
        "asked",
        free=True,
        hint=_LOCAL,
    ),
    Preset("other", "Another server", "openai_chat", "", key="asked"),
)
