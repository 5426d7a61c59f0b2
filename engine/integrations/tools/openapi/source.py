"""The chosen operations of one API as a source of tools, called at one server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, ToolFailed
from engine.core.values.json import FrozenDict, JsonObject, canonical
from engine.integrations.egress import Egress
from engine.integrations.egress.http_call import MAX_EXCERPT, CredentialResolver, send
from engine.integrations.models.chat import CallOrigin
from engine.integrations.tools.openapi.operation import Operation
from engine.integrations.tools.openapi.request import request_of
from engine.integrations.tools.protocol import Tool, ToolSpec
from engine.integrations.tools.sources import MAX_RESULT, not_retryable

CALL_TIMEOUT = 30.0
"""Seconds of one call where nobody said another number."""


@dataclass(frozen=True, slots=True)
class Api:
    """Where operations are called and with what: `secret_headers` are by header a credential's."""

    server: str
    egress: Egress
    credentials: CredentialResolver
    credential: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secret_headers: Mapping[str, str] = field(default_factory=dict)

    async def secrets(self, _name: str, url: str) -> Mapping[str, str]:
        """Return the headers of all credentials. Raises `NodeError`, for another host too."""
        found: dict[str, str] = {}
        for header, name in self.secret_headers.items():
            found[header] = next(iter((await self.credentials(name, url)).values()))
        if self.credential is not None:
            found |= await self.credentials(self.credential, url)
        return found

    @property
    def shown_credential(self) -> str | None:
        """Return the name that stands where an answer repeats a secret; None without any."""
        names = [*self.secret_headers.values(), *([self.credential] if self.credential else [])]
        return ", ".join(dict.fromkeys(names)) or None


@dataclass(frozen=True, slots=True)
class OpenApiTool:
    """One operation, under the effect class and the patience that it was given."""

    spec: ToolSpec
    _operation: Operation
    _api: Api
    _timeout_s: float = CALL_TIMEOUT

    def settled(self, effect: EffectClass | None, timeout_s: float | None) -> Tool:
        """Return it with what a person set."""
        return replace(self, spec=self.spec.under(effect), _timeout_s=timeout_s or self._timeout_s)

    async def call(self, arguments: JsonObject, origin: CallOrigin) -> Any:
        """Return `{status, body}` of the answer.

        Raises `ToolFailed` for an answer that says no (`reported` below 500) and for a server that
        cannot be reached, `OutcomeUnknown` for a call that was sent and not answered, and what the
        egress and the credential refuse.
        """
        label = self.spec.full_name
        try:
            request = request_of(
                self._operation,
                self._api.server,
                arguments,
                headers=self._api.headers,
                credential=self._api.shown_credential,
                effect=self.spec.effect_class,
                timeout_s=self._timeout_s,
            )
        except ToolFailed as wrong:
            raise not_retryable(f"{label}: {wrong.message}") from None
        try:
            answer = await send(
                self._api.egress, request, origin.idempotency_key, self._api.secrets
            )
        except NodeError as error:
            raise _failure(label, error) from error
        if len(canonical(answer)) > MAX_RESULT:
            raise not_retryable(f"{label} returned more than {MAX_RESULT} bytes")
        return FrozenDict({"status": answer["status"], "body": answer["body"]})


class OpenApiSource:
    """Operations under the source name `name`; nothing is asked of the server to list them."""

    vetted = False
    """Definitions come from outside: a changed one must be accepted."""

    def __init__(self, name: str, operations: Sequence[Operation], api: Api) -> None:
        self.name = name
        self._tools = {
            each.name: OpenApiTool(
                replace(each.spec(name), place=api.server, kind="api"), each, api
            )
            for each in operations
        }

    async def find(self, name: str) -> Tool | None:
        """Return the tool of this name."""
        return self._tools.get(name)

    async def tools(self) -> Sequence[Tool]:
        """Return every tool, in the order of the document."""
        return list(self._tools.values())

    async def aclose(self) -> None:
        """Nothing is held open."""


def _failure(label: str, error: NodeError) -> NodeError:
    """Return what a failed request means for the tool: a model may read what the server said."""
    if error.code not in ("HttpRejected", "HttpUnavailable"):
        return error
    body = (error.detail.get("answer") or {}).get("body")
    said = "" if body in (None, "") else f": {str(body)[:MAX_EXCERPT]}"
    failed = ToolFailed(f"{label}: {error.message}{said}", detail=error.detail)
    failed.retryable = error.retryable
    failed.retry_after_ms = error.retry_after_ms
    failed.reported = error.code == "HttpRejected"
    return failed
