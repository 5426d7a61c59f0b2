"""The operator's file of MCP servers (docs/tools.md has its form): parsed entry by entry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine.core.effects import EffectClass
from engine.core.errors import RequestRefused
from engine.core.values.limits import parse_json
from engine.integrations.tools.mcp import HttpServer, McpServer, SecretHeader, StdioServer

MAX_FILE: Final = 1024 * 1024
MAX_SERVERS: Final = 100
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}\Z")
TAKEN: Final = frozenset({"python", "script"})
"""Sources that are always there."""

Text = Annotated[str, Field(min_length=1, max_length=4096)]
HeaderName = Annotated[str, Field(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$")]
HeaderText = Annotated[str, Field(pattern=r"^[\t\x20-\x7e]{0,4096}$")]
ToolName = Annotated[str, Field(min_length=1, max_length=128)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class FromCredential(_Strict):
    """A header whose value is a stored credential's."""

    credential: Annotated[str, Field(min_length=1, max_length=120)]


class Entry(_Strict):
    """One server as the file says it."""

    command: Text | None = None
    args: list[Annotated[str, Field(max_length=4096)]] = []
    env: dict[Text, Annotated[str, Field(max_length=32_768)]] = {}
    cwd: Text | None = None
    url: Text | None = None
    headers: dict[HeaderName, HeaderText | FromCredential] = {}
    credential: Annotated[str, Field(min_length=1, max_length=120)] | None = None
    trusted: bool = False
    effects: dict[ToolName, Literal["pure", "read", "keyed", "probe", "unsafe"]] = {}

    @model_validator(mode="after")
    def _one_place(self) -> Entry:
        if (self.command is None) == (self.url is None):
            raise ValueError('name either "command", a program, or "url", an address')
        given = self.model_fields_set
        wrong = given & ({"args", "env", "cwd"} if self.url else {"headers", "credential"})
        if wrong:
            needs = '"command"' if self.url else '"url"'
            raise ValueError(f'"{min(wrong)}" belongs to a server with {needs}')
        parts = urlsplit(self.url or "http://x")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.password:
            raise ValueError('"url" is an http or https address without a password in it')
        return self


@dataclass(frozen=True, slots=True)
class McpEntry:
    """One server of the file; `problem` says why it cannot be used, and then `server` is None."""

    name: str
    server: McpServer | None = None
    trusted: bool = False
    effects: Mapping[str, EffectClass] = field(default_factory=dict)
    problem: str | None = None

    @property
    def kind(self) -> str:
        """Return `http` or `program`; empty where the file does not say it rightly."""
        if self.server is None:
            return ""
        return "http" if isinstance(self.server, HttpServer) else "program"

    @property
    def where(self) -> str:
        """Return the address without query, or the program's name: nothing that may be secret."""
        if isinstance(self.server, HttpServer):
            parts = urlsplit(self.server.url)
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        return Path(self.server.command).name if isinstance(self.server, StdioServer) else ""


@dataclass(frozen=True, slots=True)
class McpFile:
    """What the file says; with a `problem` it could not be read at all."""

    entries: tuple[McpEntry, ...] = ()
    problem: str | None = None


def read_mcp_file(path: Path) -> McpFile:
    """Return the servers that the file names; a missing one names none. Never raises."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_FILE + 1)
    except FileNotFoundError:
        return McpFile()
    except OSError as error:
        return McpFile(problem=f"{path.name} cannot be read: {error.strerror or error}")
    try:
        data: Any = parse_json(text, max_bytes=MAX_FILE)
    except RequestRefused as error:
        return McpFile(problem=f"{path.name} is not readable as JSON: {error.message}")
    servers = data.get("mcpServers") if isinstance(data, Mapping) else None
    if not isinstance(servers, Mapping):
        return McpFile(problem=f'{path.name} needs an object "mcpServers": {{"name": {{…}}}}')
    if len(servers) > MAX_SERVERS:
        return McpFile(problem=f"{path.name} names {len(servers)} servers; up to {MAX_SERVERS}")
    return McpFile(tuple(_entry(path.name, name, given) for name, given in servers.items()))


def _entry(file: str, name: str, given: Any) -> McpEntry:
    shown = name[:64]
    if not NAME.match(name) or "__" in name or name in TAKEN:
        return McpEntry(
            shown,
            problem=f"{file}: {shown!r} cannot name a source: letters, digits, - and single _, up "
            f"to 32, and not {' or '.join(sorted(TAKEN))}",
        )
    try:
        entry = Entry.model_validate(given)
    except ValidationError as error:
        return McpEntry(name, problem=f"{file}: {name}: {_said(error)}")
    effects = {tool: EffectClass(kind) for tool, kind in entry.effects.items()}
    return McpEntry(name, _server(entry), entry.trusted, effects)


def _server(entry: Entry) -> McpServer:
    if entry.command is not None:
        return StdioServer(entry.command, tuple(entry.args), dict(entry.env), entry.cwd)
    headers = {
        name: value if isinstance(value, str) else SecretHeader(value.credential)
        for name, value in entry.headers.items()
    }
    return HttpServer(str(entry.url), entry.credential, headers)


def _said(error: ValidationError) -> str:
    """Return the problems by their place, without what was written there: it may be secret."""
    found = []
    for item in error.errors(include_url=False, include_context=False, include_input=False)[:5]:
        place = ".".join(str(part) for part in item["loc"] if not isinstance(part, type))
        if item["type"] == "extra_forbidden":
            known = ", ".join(Entry.model_fields)
            found.append(f'"{place}" is not known here; known are {known}')
        else:
            message = item["msg"].removeprefix("Value error, ")
            found.append(f"{place}: {message}" if place else message)
    return "; ".join(dict.fromkeys(found))
