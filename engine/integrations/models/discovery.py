"""Finds what could answer without any configuration: keys in the environment, local servers.

Nothing found is used before an owner accepts it. Local servers are asked without any credential,
never through a proxy, and at fixed ports of this machine only.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import pkgutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import engine.integrations.models.providers
from engine.core.values.json import JsonObject
from engine.integrations.models.chat import FREE, Price
from engine.integrations.models.prices.book import PriceBook
from engine.integrations.models.pydantic_ai import Connection

Source = Literal["environment", "loopback"]
Probe = Callable[[str], Awaitable[Any]]
"""Gives the JSON at a URL, None for anything else; must answer within `PROBE_TIMEOUT_S`."""

PROBE_TIMEOUT_S = 0.3
MAX_REPLY_BYTES = 1_000_000
MAX_MODELS = 200


@dataclass(frozen=True, slots=True)
class Hosted:
    """A provider that needs a key, and the environment variables that may hold one.

    `connect` says how one of its models is reached, by name and key.
    """

    provider: str
    label: str
    base_url: str
    key_names: tuple[str, ...]
    connect: Callable[[str, str], Connection]


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A program that listens on a known port of this machine."""

    provider: str
    label: str
    port: int


@lru_cache(maxsize=1)
def hosted_providers() -> Mapping[str, Hosted]:
    """Return the hosted providers by name: every file in `engine.integrations.models.providers` with `KEY_NAMES`."""
    out: dict[str, Hosted] = {}
    for info in pkgutil.iter_modules(engine.integrations.models.providers.__path__):
        module: Any = importlib.import_module(f"engine.integrations.models.providers.{info.name}")
        if hasattr(module, "KEY_NAMES"):
            out[module.PROVIDER] = Hosted(
                module.PROVIDER, module.LABEL, module.BASE_URL, module.KEY_NAMES, module.connect
            )
    return out


LOCAL_SERVERS = (
    LocalServer("ollama", "Ollama", 11434),
    LocalServer("lmstudio", "LM Studio", 1234),
    LocalServer("llama-server", "llama.cpp server", 8080),
    LocalServer("vllm", "vLLM", 8000),
)


HOSTED = tuple(hosted_providers().values())


@dataclass(frozen=True, slots=True)
class FoundProvider:
    """Something that could answer. `id` is stable, so that an acceptance can name it."""

    id: str
    provider: str
    label: str
    base_url: str
    models: tuple[str, ...]
    source: Source
    key_name: str | None = None

    @property
    def price(self) -> Price | None:
        """The price of every model of it: zero on this machine, else by the table."""
        return FREE if self.source == "loopback" else None

    def to_json(self, *, accepted: bool) -> JsonObject:
        """Return the entry of `found` in `GET /api/models/`; never a key."""
        return {
            "id": self.id,
            "provider": self.provider,
            "label": self.label,
            "base_url": self.base_url,
            "models": list(self.models),
            "source": self.source,
            "accepted": accepted,
        }


async def find_providers(
    env: Mapping[str, str],
    probe: Probe,
    *,
    servers: Sequence[LocalServer] = LOCAL_SERVERS,
    prices: PriceBook | None = None,
) -> list[FoundProvider]:
    """Return the providers with a key in `env`, then the local servers that list models."""
    book = prices or PriceBook()
    hosted = [
        found
        for entry in hosted_providers().values()
        if (found := _in_environment(entry, env, book))
    ]
    answers = await asyncio.gather(*(_listen(server, probe) for server in servers))
    return [*hosted, *(found for found in answers if found is not None)]


def environment_key(provider: str, env: Mapping[str, str]) -> str | None:
    """Return the key that `env` holds for a hosted provider, None if there is none."""
    entry = hosted_providers().get(provider)
    if entry is None:
        return None
    return next((env[name] for name in entry.key_names if env.get(name, "").strip()), None)


def _in_environment(entry: Hosted, env: Mapping[str, str], book: PriceBook) -> FoundProvider | None:
    key_name = next((name for name in entry.key_names if env.get(name, "").strip()), None)
    if key_name is None:
        return None
    return FoundProvider(
        id=f"environment-{entry.provider}",
        provider=entry.provider,
        label=f"{entry.label} ({key_name})",
        base_url=entry.base_url,
        models=tuple(book.names(entry.provider)),
        source="environment",
        key_name=key_name,
    )


async def _listen(server: LocalServer, probe: Probe) -> FoundProvider | None:
    base_url = f"http://127.0.0.1:{server.port}/v1"
    try:
        async with asyncio.timeout(PROBE_TIMEOUT_S):
            answer = await probe(f"{base_url}/models")
    except (TimeoutError, OSError):
        return None
    models = model_ids(answer)
    if models is None:
        return None
    return FoundProvider(
        id=f"loopback-{server.port}",
        provider=server.provider,
        label=f"{server.label} on this machine",
        base_url=base_url,
        models=models,
        source="loopback",
    )


def model_ids(answer: object) -> tuple[str, ...] | None:
    """Return the names in a server's list of models, None if it is no such list."""
    listed = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        return None
    ids = [entry.get("id") for entry in listed if isinstance(entry, dict)]
    return tuple(name for name in ids if isinstance(name, str) and name)[:MAX_MODELS]


async def http_probe(url: str) -> Any:
    """Return the JSON at a plain `http` URL of this machine; None for any other answer.

    Sends no credentials, cookies or proxy headers and follows no redirects.
    """
    rest = url.removeprefix("http://")
    authority, _, path = rest.partition("/")
    host, _, port = authority.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port or 80))
    try:
        ask = f"GET /{path} HTTP/1.0\r\nHost: {authority}\r\nAccept: application/json\r\n\r\n"
        writer.write(ask.encode("ascii"))
        await writer.drain()
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n", 1)[0] + b" ":
            return None
        return json.loads(await _body(reader, head))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        return None
    finally:
        writer.close()


async def _body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    """Read a body until its stated length, or the end; chunks are put together."""
    lowered = head.lower()
    for line in lowered.split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return await reader.readexactly(min(int(line.split(b":")[1]), MAX_REPLY_BYTES))
    if b"transfer-encoding: chunked" not in lowered:
        return await _until_end(reader)
    out = b""
    while size := int((await reader.readline()).split(b";")[0], 16):
        out += await reader.readexactly(size)
        await reader.readexactly(2)
        if len(out) > MAX_REPLY_BYTES:
            raise ValueError("the reply is too long")
    return out


async def _until_end(reader: asyncio.StreamReader) -> bytes:
    out = b""
    while part := await reader.read(65_536):
        out += part
        if len(out) > MAX_REPLY_BYTES:
            raise ValueError("the reply is too long")
    return out
