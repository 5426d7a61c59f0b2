"""Chat models reached over HTTP, through the `direct` seam of pydantic-ai.

Nothing of it is imported before the first call, and then in a thread: the SDKs take seconds to
load. The engine owns retries, prices and budgets, so the library's own are switched off.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.chat import (
    CallOrigin,
    ChatRequest,
    ChatResponse,
    OnDelta,
    Price,
    ToolCall,
    Usage,
    worst_case_usage,
)
from engine.errors import ProviderError
from engine.values import canonical, thaw

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

HttpClientFactory = Callable[[str], object]
"""Gives the `httpx2.AsyncClient` for a base URL; its maker closes it."""

CONNECT_TIMEOUT_S = 10.0
READ_TIMEOUT_S = 600.0
MAX_ERROR_CHARS = 500
FALLBACK_TOKENS = 200
"""Upper bound of what the sentence around a schema costs when it has to be described in words."""
_SCHEMA_REFUSED = re.compile(
    r"response_format|json_schema|json schema|structured|output_config|output_format|grammar|schema",
    re.IGNORECASE,
)
_DESCRIBED = "Answer with one JSON object that fits this JSON Schema, and with nothing else:\n"


@dataclass(frozen=True, slots=True)
class Connection:
    """How one provider's model is reached.

    `build` imports the SDK and returns the library's model for (http client); `overhead_tokens`
    is what the provider adds to a request with tools or schema beyond what is sent;
    `idempotency_header` is sent with the engine's key where the provider reads one.
    """

    model: str
    base_url: str
    build: Callable[[Any], Model]
    secret: str | None = field(default=None, repr=False)
    overhead_tokens: int = 0
    idempotency_header: str | None = "Idempotency-Key"
    native_schema: bool = True


class DirectModel:
    """One model of a hosted provider or of an OpenAI-compatible server."""

    def __init__(
        self,
        connection: Connection,
        price: Callable[[], Price | None],
        http_client: HttpClientFactory | None = None,
    ) -> None:
        self._connection = connection
        self._price = price
        self._http_client = http_client
        self._native = connection.native_schema
        self._native_with_tools = connection.native_schema
        self._model: Model | None = None
        self._own_client: Any = None
        self._loading = threading.Lock()

    @property
    def native_schema(self) -> bool:
        """Whether the provider enforces schemas; False once it has refused one."""
        return self._native

    def price(self) -> Price | None:
        """Return today's price, None where it is not known."""
        return self._price()

    def worst_case(self, request: ChatRequest, origin: CallOrigin) -> Usage:
        """Return the bytes of the request, the provider's own framing, and the output cap."""
        usage = worst_case_usage(request)
        extra = self._connection.overhead_tokens if request.tools or request.schema else 0
        extra += FALLBACK_TOKENS if request.schema is not None else 0
        return replace(usage, input_tokens=usage.input_tokens + extra)

    def complete(
        self, request: ChatRequest, origin: CallOrigin, on_delta: OnDelta | None
    ) -> Awaitable[ChatResponse]:
        """Make the call, streamed if `on_delta` is given. Raises `ProviderError`."""
        return self._complete(request, origin, on_delta)

    async def aclose(self) -> None:
        """Close the connection pool, if it was made here."""
        if self._own_client is not None:
            await self._own_client.aclose()

    async def _complete(
        self, request: ChatRequest, origin: CallOrigin, on_delta: OnDelta | None
    ) -> ChatResponse:
        model = self._model or await self._load()
        enforced = self._native_with_tools if request.tools else self._native
        if request.schema is not None and enforced:
            try:
                return await self._call(model, request, origin, on_delta, native=True)
            except _SchemaRefused:
                self._native_with_tools = False  # some take schemas, but not beside tools
                self._native = self._native and bool(request.tools)
        return await self._call(model, request, origin, on_delta, native=False)

    async def _load(self) -> Model:
        factory = self._http_client
        given = None if factory is None else factory(self._connection.base_url)
        return await asyncio.to_thread(self._build, given)

    def _build(self, http_client: object | None) -> Model:
        with self._loading:
            if self._model is None:
                self._model = self._connection.build(http_client or self._make_client())
            return self._model

    def _make_client(self) -> object:
        import httpx2

        timeout = httpx2.Timeout(READ_TIMEOUT_S, connect=CONNECT_TIMEOUT_S)
        self._own_client = httpx2.AsyncClient(timeout=timeout)
        return self._own_client

    async def _call(
        self,
        model: Model,
        request: ChatRequest,
        origin: CallOrigin,
        on_delta: OnDelta | None,
        *,
        native: bool,
    ) -> ChatResponse:
        import httpx2
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UserError

        messages = _messages(request, described=not native)
        settings = self._settings(request, origin)
        parameters = _parameters(request, native=native)
        try:
            response = await _ask(model, messages, settings, parameters, on_delta)
        except UserError as error:  # the library knows that this model has no structured output
            if native:
                raise _SchemaRefused from error
            raise ProviderError(self._clean(str(error)), status=400) from error
        except ModelAPIError as error:
            raise self._mapped(error, native=native) from error
        except (UnexpectedModelBehavior, httpx2.HTTPError, OSError) as error:
            raise ProviderError(self._clean(_words(error)), status=None) from error
        return self._response(response, request, native=native)

    def _settings(self, request: ChatRequest, origin: CallOrigin) -> ModelSettings:
        settings: ModelSettings = {"max_tokens": request.max_output_tokens, "max_retries": 0}
        if request.temperature is not None:
            settings["temperature"] = request.temperature
        header = self._connection.idempotency_header
        if header is not None:
            settings["extra_headers"] = {header: origin.idempotency_key}
        return settings

    def _mapped(self, error: Any, *, native: bool) -> Exception:
        status: int | None = getattr(error, "status_code", None)
        text = _words(error)
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
        secret = self._connection.secret
        if secret:
            text = text.replace(secret, "[credential]")
        return f"{self._connection.model}: {text[:MAX_ERROR_CHARS]}"

    def _response(
        self, response: ModelResponse, request: ChatRequest, *, native: bool
    ) -> ChatResponse:
        from pydantic_ai.messages import TextPart, ToolCallPart

        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        calls = tuple(
            ToolCall(part.tool_call_id, part.tool_name, _arguments(part))
            for part in response.parts
            if isinstance(part, ToolCallPart)
        )
        wants_json = native and request.schema is not None
        return ChatResponse(
            text=text,
            usage=_usage(response, request, text, calls),
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
) -> ModelResponse:
    from pydantic_ai import direct

    if on_delta is None:
        return await direct.model_request(
            model, messages, model_settings=settings, model_request_parameters=parameters
        )
    async with direct.model_request_stream(
        model, messages, model_settings=settings, model_request_parameters=parameters
    ) as stream:
        async for event in stream:
            piece = _piece(event)
            if piece:
                on_delta(piece)
        response = stream.get()
    if response.finish_reason is None:
        raise ProviderError("the answer broke off before its end", status=None)
    return response


def _piece(event: Any) -> str:
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def _messages(request: ChatRequest, *, described: bool) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, SystemPromptPart

    out: list[ModelMessage] = []
    pending: list[Any] = []
    for message in request.messages:
        part = _part(message)
        if part is not None:
            pending.append(part)
            continue
        if pending:
            out.append(ModelRequest(parts=pending))
            pending = []
        out.append(_assistant(message))
    if described and request.schema is not None:
        pending.append(SystemPromptPart(_DESCRIBED + canonical(request.schema).decode()))
    if pending:
        out.append(ModelRequest(parts=pending))
    return out


def _part(message: Any) -> Any:
    """Return the request part of one message; None for what the model itself said."""
    from pydantic_ai.messages import SystemPromptPart, ToolReturnPart, UserPromptPart

    if message.role == "system":
        return SystemPromptPart(message.content)
    if message.role == "user":
        return UserPromptPart(message.content)
    if message.role == "tool":
        return ToolReturnPart(
            tool_name=message.tool_name or "tool",
            content=message.content,
            tool_call_id=message.tool_call_id or "call",
        )
    return None


def _assistant(message: Any) -> ModelResponse:
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

    parts: list[Any] = [TextPart(message.content)] if message.content else []
    parts.extend(ToolCallPart(c.name, dict(c.arguments), c.id) for c in message.tool_calls)
    return ModelResponse(parts=parts)


def _parameters(request: ChatRequest, *, native: bool) -> ModelRequestParameters:
    from pydantic_ai import ToolDefinition
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=thaw(tool.parameters),
        )
        for tool in request.tools
    ]
    if request.schema is None or not native:
        return ModelRequestParameters(function_tools=tools)
    wanted = OutputObjectDefinition(json_schema=thaw(request.schema), name="answer")
    return ModelRequestParameters(function_tools=tools, output_mode="native", output_object=wanted)


def _arguments(part: Any) -> dict[str, Any]:
    arguments: dict[str, Any] = part.args_as_dict()
    return arguments


def _usage(
    response: ModelResponse, request: ChatRequest, text: str, calls: tuple[ToolCall, ...]
) -> Usage:
    """Return what the provider counted; a server that counts nothing is counted in bytes."""
    usage = Usage(response.usage.input_tokens, response.usage.output_tokens)
    if usage.total:
        return usage
    size = len(text.encode()) + sum(len(canonical(call.to_json())) for call in calls)
    return Usage(worst_case_usage(request).input_tokens, size)


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
