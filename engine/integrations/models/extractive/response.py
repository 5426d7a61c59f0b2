"""The answer of the extractive model: a filled schema, or sentences that are quoted."""

from __future__ import annotations

from engine.core.node_types.conversation import Usage
from engine.core.values.json import JsonObject, canonical
from engine.integrations.models.chat import ChatRequest, ChatResponse
from engine.integrations.models.embeddings.local import count_tokens
from engine.integrations.models.extractive.fill import Filler
from engine.integrations.models.extractive.ranking import best, task_of
from engine.integrations.models.extractive.request import read_request

MODEL = "builtin/extractive"
"""What an answer names as its model."""
QUOTED_SENTENCES = 3
NOTHING = "There is no text to quote from in this request."
MAX_TEXT = 2000
MIN_TEXT = 20
"""Longest and shortest that a text in a structured answer may be cut to."""


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
        model=MODEL,
        finish_reason=finish_reason,
    )


def _tokens(text: str) -> int:
    return count_tokens(text)
