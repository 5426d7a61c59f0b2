"""Chat models reached over HTTP, through the `direct` seam of pydantic-ai.

Nothing of it is imported before the first call, and then in a thread: the SDKs take seconds to
load. The engine owns retries, prices and budgets, so the library's own are switched off.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.core.errors import Cancelled, NodeError, ProviderError, ProviderFault
from engine.core.node_types.conversation import ToolCall, Usage
from engine.core.values.json import canonical
from engine.integrations.models.answer_events import arguments_of, piece_of, size_of
from engine.integrations.models.chat import (
    MAX_WIRE_BYTES,
    WIRE_SLACK,
    CallOrigin,
    ChatRequest,
    ChatResponse,
    OnDelta,
    Price,
    WireLimits,
    most_answer_bytes,
    most_wire_bytes,
    worst_case_usage,
)
from engine.integrations.models.heard import Heard
from engine.integrations.models.messages import messages_of, parameters_of
from engine.integrations.models.servers.capabilities import NO_TOOLS

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

    from engine.integrations.egress import Egress
    from engine.integrations.models.wire import WireCall

Transport = Callable[[], Any]
"""Gives the `httpx2` transport that a model's calls go through."""

MAX_ERROR_CHARS = 500
FALLBACK_TOKENS = 200
"""Upper bound of what the sentence around a schema costs when it has to be described in words."""
_SCHEMA_REFUSED = re.compile(
    r"response_format|json_schema|json schema|structured|output_config|output_format|grammar|schema",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Connection:
    """How one provider's model is reached.

    `build` imports the SDK and returns the library's model for (http client); `overhead_tokens`
    is what the provider adds to a request with tools or schema beyond what is sent;
    `idempotency_header` is sent with the engine's key where the provider reads one. Without
    `tools` no call with tools is sent, without `native_schema` no schema; `extra_body` goes with
    every question. `protocol` tells two ways to one address apart.
    """

    model: str
    base_url: str
    build: Callable[[httpx2.AsyncClient], Model]
    secret: str | None = field(default=None, repr=False)
    overhead_tokens: int = 0
    idempotency_header: str | None = "Idempotency-Key"
    native_schema: bool = True
    tools: bool = True
    protocol: str = ""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)


def guarded() -> Any:
    """Return a transport that reaches public addresses only."""
    from engine.integrations.egress import Egress

    return model_transport(Egress())


def model_transport(egress: Egress) -> Any:
    """Return the transport of `egress` for model calls: longer and more patient than others."""
    return egress.transport(
        max_response=MAX_WIRE_BYTES + WIRE_SLACK, read_timeout=WireLimits().first_byte_s
    )


class DirectModel:
    """One model of a hosted provider or of an OpenAI-compatible server."""

    def __init__(
        self,
        connection: Connection,
        price: Callable[[], Price | None],
        transport: Transport = guarded,
        limits: WireLimits | None = None,
    ) -> None:
        self._connection = connection
        self._price = price
        self._transport = transport
        self._limits = limits or WireLimits()
        self._native = connection.native_schema
        self._native_with_tools = connection.native_schema
        self._model: Model | None = None
        self._client: Any = None
        self._loading = threading.Lock()

    @property
    def native_schema(self) -> bool:
        """Whether the provider enforces schemas; False once it has refused one."""
        return self._native

    @property
    def billed_as(self) -> str:
        """The model's own name, whatever name led to it."""
        return self._connection.model

    def price(self) -> Price | None:
        """Return today's price, None where it is not known."""
        return self._price()

    def worst_case(self, request: ChatRequest, origin: CallOrigin) -> Usage:
        """Return the bytes of the request, the provider's own framing, and the output cap."""
        usage = worst_case_usage(request)
        extra = self._connection.overhead_tokens if request.tools or request.schema else 0
        extra += FALLBACK_TOKENS if request.schema is not None else 0
        extra += len(canonical(self._connection.extra_body)) if self._connection.extra_body else 0
        return replace(usage, input_tokens=usage.input_tokens + extra)

    def complete(
        self, request: ChatRequest, origin: CallOrigin, on_delta: OnDelta | None
    ) -> Awaitable[ChatResponse]:
        """Make the call, streamed if `on_delta` is given. Raises `ProviderError`."""
        return self._complete(request, origin, on_delta)

    async def aclose(self) -> None:
        """Close the connection pool."""
        if self._client is not None:
            await self._client.aclose()

    async def _complete(
        self, request: ChatRequest, origin: CallOrigin, on_delta: OnDelta | None
    ) -> ChatResponse:
        if request.tools and not self._connection.tools:
            raise self._named(ProviderError(NO_TOOLS, status=400, sent=False))
        model = self._model or await self.load()
        enforced = self._native_with_tools if request.tools else self._native
        if request.schema is not None and enforced:
            try:
                return await self._call(model, request, origin, on_delta, native=True)
            except _SchemaRefused:
                self._native_with_tools = False  # some take schemas, but not beside tools
                self._native = self._native and bool(request.tools)
        return await self._call(model, request, origin, on_delta, native=False)

    async def load(self) -> Model:
        """Return the library's model; the first of a kind loads its SDK, which takes seconds."""
        return await asyncio.to_thread(self._build)

    def _build(self) -> Model:
        from engine.integrations.models.wire import client

        with self._loading:
            if self._model is None:
                self._client = client(self._transport(), self._limits)
                self._model = self._connection.build(self._client)
            return self._model

    async def _call(
        self,
        model: Model,
        request: ChatRequest,
        origin: CallOrigin,
        on_delta: OnDelta | None,
        *,
        native: bool,
    ) -> ChatResponse:
        from engine.integrations.models.wire import CALL, WireCall

        messages = messages_of(request, described=not native)
        settings = self._settings(request, origin)
        parameters = parameters_of(request, native=native)
        wire = WireCall(self._limits, most_wire_bytes(request.max_output_tokens))
        before = CALL.set(wire)
        try:
            response = await _ask(
                model, messages, settings, parameters, on_delta, cap=request.max_output_tokens
            )
        except Exception as error:
            failure = self._failure(error, wire, native=native, streamed=on_delta is not None)
            raise failure from error
        finally:
            CALL.reset(before)
        return self._response(response, request, native=native)

    def _failure(
        self, error: Exception, wire: WireCall, *, native: bool, streamed: bool
    ) -> Exception:
        """Return what a failed call means: the SDKs word the same cause in many ways."""
        from pydantic_ai.exceptions import ModelAPIError, UserError

        if wire.fault is not None:
            return self._named(wire.fault)
        if isinstance(error, NodeError):
            return self._named(error)
        if isinstance(error, UserError):  # the library knows that this model takes no schema
            refused = ProviderError(self._clean(str(error)), status=400)
            return _SchemaRefused() if native else refused
        if wire.unreached:
            words = f"no connection to {self._connection.base_url}: is the server running?"
            return ProviderError(self._clean(words), status=None, sent=False)
        unreadable = wire.unreadable(streamed=streamed, garbled=_is_garbled(error))
        if unreadable is not None:
            return ProviderFault("ProviderUnreadable", self._clean(unreadable))
        if isinstance(error, ModelAPIError):
            return self._mapped(error, wire, native=native)
        return ProviderError(self._clean(_words(error)), status=None)

    def _named(self, error: NodeError) -> NodeError:
        """Return the failure with the model's name before its words."""
        error.message = self._clean(error.message)
        error.args = (error.message,)
        return error

    def _settings(self, request: ChatRequest, origin: CallOrigin) -> ModelSettings:
        settings: ModelSettings = {"max_tokens": request.max_output_tokens, "max_retries": 0}
        if request.temperature is not None:
            settings["temperature"] = request.temperature
        header = self._connection.idempotency_header
        sent = dict(self._connection.headers)
        if header is not None:
            sent[header] = origin.idempotency_key
        if sent:
            settings["extra_headers"] = sent
        if self._connection.extra_body:
            settings["extra_body"] = dict(self._connection.extra_body)
        return settings

    def _mapped(self, error: Any, wire: WireCall, *, native: bool) -> Exception:
        said = wire.status if wire.status != 200 else None
        status: int | None = getattr(error, "status_code", None) or said
        text = _words(error)
        if wire.head and wire.is_html:
            text = f"status {status}: the server answered a page of HTML: {wire.first_line()}"
        if native and status in (400, 404, 422, 501) and _SCHEMA_REFUSED.search(text):
            return _SchemaRefused()
        wait = error.retry_after
        return ProviderError(
            self._clean(text),
            status=status,
            retry_after_ms=None if wait is None else max(0, round(wait * 1000)),
        )

    def _clean(self, text: str) -> str:
        """Return a provider's words without our credential, cut to a bearable length."""
        hidden = [self._connection.secret, *(value for _name, value in self._connection.headers)]
        for secret in hidden:
            if secret:
                text = text.replace(secret, "[credential]")
        return f"{self._connection.model}: {text[:MAX_ERROR_CHARS]}"

    def _response(
        self, response: ModelResponse, request: ChatRequest, *, native: bool
    ) -> ChatResponse:
        from pydantic_ai.messages import TextPart, ToolCallPart

        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        calls = tuple(
            ToolCall(part.tool_call_id, part.tool_name, arguments_of(part))
            for part in response.parts
            if isinstance(part, ToolCallPart)
        )
        size = len(text.encode()) + sum(len(canonical(call.to_json())) for call in calls)
        if size > most_answer_bytes(request.max_output_tokens):
            raise self._named(_too_long(request.max_output_tokens))
        wants_json = native and request.schema is not None
        return ChatResponse(
            text=text,
            usage=_usage(response, request, size),
            structured=_parsed(text) if wants_json and text else None,
            tool_calls=calls,
            model=response.model_name or request.model,
            finish_reason=_finish(response.finish_reason, calls),
        )


class _SchemaRefused(Exception):
    """The provider or the library does not take this schema natively."""


async def _ask(
    model: Model,
    messages: list[ModelMessage],
    settings: ModelSettings,
    parameters: ModelRequestParameters,
    on_delta: OnDelta | None,
    *,
    cap: int,
) -> ModelResponse:
    from pydantic_ai import direct

    if on_delta is None:
        return await direct.model_request(
            model, messages, model_settings=settings, model_request_parameters=parameters
        )
    async with direct.model_request_stream(
        model, messages, model_settings=settings, model_request_parameters=parameters
    ) as stream:
        left = most_answer_bytes(cap)
        heard = on_delta if isinstance(on_delta, Heard) and not _thinks_unseen(model) else None
        async for event in stream:
            size = size_of(event)
            left -= size
            if left < 0:
                raise _too_long(cap)
            if heard is not None and size and not heard.note(size, _told(stream.usage)):
                raise Cancelled
            piece = piece_of(event)
            if piece:
                on_delta(piece)
        response = stream.get()
    if response.finish_reason is None:
        raise ProviderError("the answer broke off before its end", status=None)
    return response


def _thinks_unseen(model: Model) -> bool:
    """Return whether the model generates, unasked, what does not come with its answer."""
    profile = model.profile
    return bool(
        profile.get("thinking_always_enabled") or profile.get("thinking_enabled_by_default")
    )


def _told(usage: Any) -> Usage:
    return Usage(usage.input_tokens or 0, usage.output_tokens or 0)


def _too_long(cap: int) -> ProviderFault:
    from engine.integrations.models.wire import overrun

    return overrun(f"sent more than {most_answer_bytes(cap)} bytes for {cap} tokens")


def _is_garbled(error: BaseException) -> bool:
    """Return whether JSON that could not be read, or had another form, is at the root of it."""
    cause: BaseException | None = error
    for _depth in range(10):
        if cause is None:
            return False
        if isinstance(cause, ValueError | AttributeError | TypeError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _usage(response: ModelResponse, request: ChatRequest, size: int) -> Usage:
    """Return what the provider counted; a server that counts nothing is counted in bytes.

    No answer within its cap has more tokens than the cap, however long their words are.
    """
    told = response.usage
    usage = Usage(told.input_tokens, told.output_tokens, told.cache_read_tokens or 0)
    if usage.total:
        return usage
    return Usage(worst_case_usage(request).input_tokens, min(size, request.max_output_tokens))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


def _finish(reason: str | None, calls: tuple[ToolCall, ...]) -> str:
    if reason == "tool_call" or (reason is None and calls):
        return "tool_calls"
    return reason or "stop"


def _words(error: BaseException) -> str:
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        told = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(told, str) and told:
            return told
    return str(error) or type(error).__name__
