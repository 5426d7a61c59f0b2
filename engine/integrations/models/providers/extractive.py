"""`builtin/extractive`: the model that needs no key. It writes no prose of its own.

With a schema it fills it from the request's own text: enums and booleans by nearest meaning,
numbers, dates, names and quotes found in it. Without one it quotes the sentences that answer the
request best. It is deterministic, works offline, costs nothing, never calls tools.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from engine.core.node_types.conversation import Usage
from engine.core.values.json import JsonObject, canonical
from engine.integrations.models.chat import (
    CallOrigin,
    ChatRequest,
    ChatResponse,
    OnDelta,
    Price,
    worst_case_usage,
)
from engine.integrations.models.embeddings.local import count_tokens
from engine.integrations.models.extractive.fill import Filler
from engine.integrations.models.extractive.ranking import best, task_of
from engine.integrations.models.extractive.request import read_request
from engine.integrations.models.prices import BUILTIN

NAME = "builtin/extractive"
LABEL = "Extractive (built in)"
DESCRIPTION = (
    "Works without a key, on this machine. It does not write: it sorts, extracts and quotes from "
    "the text it is given."
)
QUOTED_SENTENCES = 3
NOTHING = "There is no text to quote from in this request."
THREADS = 2
MAX_TEXT = 2000
MIN_TEXT = 20
"""Longest and shortest that a text in a structured answer may be cut to."""


@lru_cache(maxsize=1)
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="extractive")


class ExtractiveModel:
    """The built-in model; stateless, one instance serves everybody."""

    @property
    def native_schema(self) -> bool:
        """Always true: a schema is filled, not described."""
        return True

    def price(self) -> Price:
        """Return zero: nothing leaves this machine."""
        return BUILTIN

    def worst_case(self, request: ChatRequest, origin: CallOrigin) -> Usage:
        """Return the bytes of the request and the output cap."""
        return worst_case_usage(request)

    def complete(
        self, request: ChatRequest, origin: CallOrigin, on_delta: OnDelta | None
    ) -> Awaitable[ChatResponse]:
        """Compute the answer in a thread; text arrives in one piece, because it is ready at once."""
        return self._complete(request, on_delta)

    async def _complete(self, request: ChatRequest, on_delta: OnDelta | None) -> ChatResponse:
        loop = asyncio.get_running_loop()
        response = await loop.run_in_executor(_pool(), answer, request)
        if on_delta is not None and request.schema is None:
            on_delta(response.text)
        return response


def answer(request: ChatRequest) -> ChatResponse:
    """Return the answer to `request`; equal requests give equal answers."""
    return _quote(request) if request.schema is None else _fill(request, request.schema)


def _quote(request: ChatRequest) -> ChatResponse:
    reading = read_request(request)
    quoted = best(reading.text, task_of(reading.instruction), QUOTED_SENTENCES)
    cut = False
    while len(quoted) > 1 and _tokens(_quotes(quoted)) > request.max_output_tokens:
        quoted.pop()
        cut = True
    text = _quotes(quoted) if quoted else NOTHING
    while _tokens(text) > request.max_output_tokens and " " in text:
        text = text[: len(text) // 2].rsplit(" ", 1)[0]
        cut = True
    return _response(request, text, None, "length" if cut else "stop")


def _quotes(quoted: list[str]) -> str:
    return "\n".join(f"“{sentence.strip('“”')}”" for sentence in quoted)


def _fill(request: ChatRequest, schema: JsonObject) -> ChatResponse:
    reading = read_request(request)
    most = MAX_TEXT
    value = Filler(reading, schema, max_text=most).answer()
    text = canonical(value).decode()
    while _tokens(text) > request.max_output_tokens and most > MIN_TEXT:
        most //= 2
        value = Filler(reading, schema, max_text=most).answer()
        text = canonical(value).decode()
    finish = "stop" if most == MAX_TEXT else "length"
    return _response(request, text, value, finish)


def _response(
    request: ChatRequest, text: str, structured: object, finish_reason: str
) -> ChatResponse:
    sent = sum(_tokens(message.content) for message in request.messages)
    if request.schema is not None:
        sent += _tokens(canonical(request.schema).decode())
    return ChatResponse(
        text=text,
        usage=Usage(sent, _tokens(text)),
        structured=structured,
        model=NAME,
        finish_reason=finish_reason,
    )


def _tokens(text: str) -> int:
    return count_tokens(text)
