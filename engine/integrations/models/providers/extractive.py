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
from engine.integrations.models.chat import (
    CallOrigin,
    ChatRequest,
    ChatResponse,
    OnDelta,
    Price,
    worst_case_usage,
)
from engine.integrations.models.extractive.response import MODEL, answer
from engine.integrations.models.prices.book import BUILTIN

NAME = MODEL
LABEL = "Extractive (built in)"
DESCRIPTION = (
    "Works without a key, on this machine. It does not write: it sorts, extracts and quotes from "
    "the text it is given."
)
THREADS = 2


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
