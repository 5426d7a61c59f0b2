"""A tool call is a run: it is started once for each key, waited for a while, and told as it stands."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any, Final

import mcp_types as types
import orjson

from builder.base.engine_door import EngineNotStarted
from builder.base.errors import InvalidInput, NotFound, ServiceError
from builder.doors.called.following import follow
from builder.doors.called.looking import Look, look, text_of, words_of
from builder.doors.called.mcp.caller import Caller
from builder.doors.called.mcp.tools import takes_free_input, tool_named
from builder.doors.called.offers import RUN_STATUS
from builder.doors.called.pool import in_pool
from builder.doors.called.reach import within
from builder.doors.called.scopes import Scope, require_scope
from builder.models import Run
from builder.models.runs.failures import SAID_NO
from builder.services.runs.runs import Start, start_run
from engine.core.errors import GraphHasErrors, RequestRefused, StoreError
from engine.core.node_types.node_type import UNSET
from engine.core.values.limits import parse_json

WAIT_S: Final = 50.0
"""So long a call is waited for: clients give up after a minute."""
KEY: Final = "idempotencyKey"
"""Under which name `_meta` may bring the key of a call: the same key again is the same run."""
MAX_KEY: Final = 190

Progress = Callable[[float], Awaitable[None]]


class NoSuchTool(LookupError):
    """The caller finds no tool of this name."""


async def call(
    caller: Caller,
    name: str,
    arguments: Mapping[str, Any],
    meta: Mapping[str, Any],
    progress: Progress,
) -> types.CallToolResult:
    """Return what came of a call. What the workflow refuses is a result that says so.

    Raises `NoSuchTool`.
    """
    try:
        if name == RUN_STATUS:
            return told(await in_pool(_looked_up, caller, arguments))
        run_id = await in_pool(_start, caller, name, arguments, meta)
    except (ServiceError, RequestRefused, StoreError) as refused:
        return _refused(refused.code, refused.message)
    except GraphHasErrors as refused:
        return _refused(refused.code, "the workflow has errors")
    except (EngineNotStarted, TimeoutError):
        return _refused("Unavailable", "the engine does not answer: call again with the same key")
    said: list[str] = []
    looks = 0
    found: Look | None = None
    async with aclosing(follow(run_id, caller.member, WAIT_S)) as seen:
        async for found in seen:
            said += found.said
            looks += 1
            await progress(looks)
    assert found is not None
    return told(found, said)


def told(found: Look, said: list[str] | None = None) -> types.CallToolResult:
    """Return a run as a result: text for a model, and the same as data for a program."""
    messages = list(found.said) if said is None else said
    data: dict[str, Any] = {"run": found.run, "status": "running"}
    if found.ended:
        data["status"] = SAID_NO if found.rejected else found.status
        data["result"] = found.result
    elif found.waits:
        data["status"] = "waiting"
        data["waiting"] = [wait.plain for wait in found.waits]
    if messages:
        data["messages"] = messages
    if found.error:
        data["error"] = found.error
    text = "\n\n".join(part for part in (*messages, _last_words(found, messages)) if part)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=data,
        is_error=found.failed and not found.rejected,
    )


def _last_words(found: Look, messages: list[str]) -> str:
    if found.error:
        how = "was rejected by a person" if found.rejected else "failed"
        return f"Run {found.run} {how}: {found.error['message']}"
    if found.ended:
        result = text_of(found.result)
        return "" if result and result in messages else result or f"Run {found.run} is done."
    if found.waits:
        words = words_of(found)
        return f"Run {found.run} waits for people. Only they can answer, there:\n{words}"
    return f"Run {found.run} is still running: ask {RUN_STATUS} for it."


def _start(caller: Caller, name: str, arguments: Mapping[str, Any], meta: Mapping[str, Any]) -> str:
    require_scope(caller.token, Scope.START)
    one = tool_named(caller, name)
    if one is None:
        raise NoSuchTool(name)
    # By the rules of every other door: the library takes NUL, NaN and integers of any length.
    value: Any = parse_json(json.dumps(dict(arguments), ensure_ascii=False))
    if takes_free_input(one):
        if unknown := sorted(set(value) - {"input"}):
            raise InvalidInput(f"no such argument: {unknown[0][:80]!r}", path=unknown[0][:80])
        value = value.get("input", UNSET)
    start = Start(input=value, key=_key(meta), source="mcp")
    return start_run(caller.member, one.graph, start)


def _looked_up(caller: Caller, arguments: Mapping[str, Any]) -> Look:
    require_scope(caller.token, Scope.READ, Scope.START)
    wanted = arguments.get("run")
    rows = within(Run.objects.in_workspace(caller.member.workspace_id), caller.token.graphs)
    if not isinstance(wanted, str) or len(wanted) > 36 or "\0" in wanted:
        raise InvalidInput("the id of a run", path="run")
    if not rows.filter(pk=wanted).exists():
        raise NotFound("no such run", code="RunNotFound")
    return look(wanted, caller.member)


def _key(meta: Mapping[str, Any]) -> str | None:
    key = meta.get(KEY)
    if key is None:
        return None
    if not isinstance(key, str) or not 0 < len(key) <= MAX_KEY or "\0" in key:
        raise InvalidInput(f"text of 1 to {MAX_KEY} characters", path=f"_meta.{KEY}")
    return key


def _refused(code: str, message: str) -> types.CallToolResult:
    data = {"error": {"code": code, "message": message}}
    text = orjson.dumps(data).decode()
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=f"Refused: {message}")],
        structured_content=orjson.loads(text),
        is_error=True,
    )
