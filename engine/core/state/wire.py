"""The flat form in which events leave the engine: REST, sockets and `--events` files all have it.

An event on the wire is one JSON object, `{seq, type, at, node?, key?, ...data}` (`docs/events.md`).
What it carries is JSON text already where it comes from a database, and is not parsed without need.
"""

from __future__ import annotations

from typing import Any, Final

import orjson

from engine.core.state.events import Event, iso, node_of

EMPTY: Final = (b"", b"{}")


def encode(seq: int, type_: str, at: int, key: str | None, carried: bytes) -> bytes:
    """Return an event in its flat form as JSON; `carried` is its data as JSON.

    Two types say more, or less, than the log keeps: what the choices of a question stand for stays
    on the server (row I4), and an output that is the same as what was written is kept once.
    """
    head: dict[str, Any] = {"seq": seq, "type": type_, "at": iso(at)}
    if key is not None:
        head["node"], head["key"] = node_of(key), key
    if type_ == "NodeCompleted":
        carried = _with_output(carried)
    elif type_ == "InterruptOpened" and b'"options"' in carried:
        carried = _without_values(carried)
    opening = orjson.dumps(head)
    return opening if carried in EMPTY else opening[:-1] + b"," + carried[1:]


def encode_event(event: Event) -> bytes:
    """Return an event that is at hand in its flat form as JSON."""
    return encode(event.seq, event.type, event.at, event.key, orjson.dumps(event.data))


def public_request(request: Any) -> dict[str, Any]:
    """Return a request without what stays on the server: option values (row I4)."""
    shown = dict(request)
    options = shown.get("options")
    if isinstance(options, list | tuple):  # else it is stored apart, as a blob
        shown["options"] = [{k: v for k, v in o.items() if k != "value"} for o in options]
        shown["multiple"] = shown.get("kind") == "multi-choice"
    return shown


def _with_output(carried: bytes) -> bytes:
    data = orjson.loads(carried)
    if "output" in data:
        return carried
    return orjson.dumps({**data, "output": data.get("writes", {})})


def _without_values(carried: bytes) -> bytes:
    data = orjson.loads(carried)
    if isinstance(data.get("request"), dict):
        data["request"] = public_request(data["request"])
    return orjson.dumps(data)
