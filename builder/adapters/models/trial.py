"""One short question to a model, to see whether it answers and how soon."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import NamedTuple

from builder.adapters.models.access import model_catalog
from builder.adapters.models.cures import with_cure
from engine.core.errors import NodeError
from engine.core.node_types.conversation import Message
from engine.integrations.models.chat import CallOrigin, ChatRequest
from engine.integrations.models.discovery import hosted_providers
from engine.integrations.models.pydantic_ai import DirectModel

TRIAL_SECONDS = 30
QUESTION = "Answer with the one word: ready"
MAX_TOKENS = 64
MAX_SHOWN = 600


class Trial(NamedTuple):
    """What came of it; `message` is the beginning of the answer, or why there is none."""

    ok: bool
    message: str
    first_token_ms: int | None
    total_ms: int


async def try_model(workspace_id: str, model: str) -> Trial:
    """Return whether the model answers within half a minute."""
    catalog = model_catalog()
    started = time.monotonic()
    first: list[float] = []

    def heard(piece: str) -> None:
        if piece and not first:
            first.append(time.monotonic())

    request = ChatRequest(model, (Message("user", QUESTION),), max_output_tokens=MAX_TOKENS)
    origin = CallOrigin("trial", "", "", None, str(uuid.uuid4()), workspace_id)
    try:
        async with asyncio.timeout(TRIAL_SECONDS):
            found = await catalog.resolve(
                model, agent_id=None, node_id="", workspace_id=workspace_id
            )
            if isinstance(found, DirectModel):
                await found.load()
            started = time.monotonic()
            response = await found.complete(request, origin, heard)
        ok, message = True, response.text.strip() or "(an empty answer)"
    except NodeError as error:
        hosted = model.partition("/")[0] in hosted_providers()
        ok, message = False, with_cure(error, hosted=hosted)
    except TimeoutError:
        ok, message = (
            False,
            f"{model} did not answer within {TRIAL_SECONDS} s. Try again, or use a smaller model.",
        )
    finally:
        await catalog.aclose()
    spent = _ms(started, time.monotonic())
    return Trial(ok, message[:MAX_SHOWN], _ms(started, first[0]) if ok and first else None, spent)


def _ms(start: float, end: float) -> int:
    return round((end - start) * 1000)
