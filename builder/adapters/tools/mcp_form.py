"""What the file of MCP servers may say of one of them."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine.integrations.egress.headers import NAME_PATTERN

Text = Annotated[str, Field(min_length=1, max_length=4096)]
HeaderName = Annotated[str, Field(pattern=f"^{NAME_PATTERN}$")]
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


def said(error: ValidationError) -> str:
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
