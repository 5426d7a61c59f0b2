"""Where an MCP server is, and how a client for it is opened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class StdioServer:
    """A program on this machine. Only the operator's settings may name one, never a graph.

    It gets the few harmless variables of the environment that the library passes on (PATH, HOME
    and such), and `env`.
    """

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None


Bearer: TypeAlias = Callable[[str], Awaitable[str]]
"""Gives an access token that is another one than the one that was refused (empty: any).
Raises `NodeError` where a person must agree anew."""


@dataclass(frozen=True, slots=True)
class SecretHeader:
    """The value of a header that is a stored credential's, under the credential's name."""

    credential: str


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A streamable HTTP endpoint, reached through the egress; `headers`, and those that
    `credential` stands for, are sent with each request, and the token that `bearer` gives then.

    The library follows redirects within the endpoint's own origin only. The egress ends a stream
    that is silent for a minute: a tool that works longer must report progress.
    """

    url: str
    credential: str | None = None
    headers: Mapping[str, str | SecretHeader] = field(default_factory=dict, repr=False)
    bearer: Bearer | None = field(default=None, repr=False, compare=False)

    @property
    def has_secrets(self) -> bool:
        """Whether a workspace's credential goes to it: then each workspace has its own session."""
        return self.credential is not None or any(
            isinstance(value, SecretHeader) for value in self.headers.values()
        )


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server object in this process, for tests and embedding."""

    server: Any


McpServer: TypeAlias = StdioServer | HttpServer | LocalServer
