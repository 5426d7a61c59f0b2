"""How a trigger may be set up: what its kind asks for, checked, with what is not said filled in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from builder.base.errors import InvalidInput
from builder.doors.signatures.schemes import SCHEMES
from builder.doors.triggers import times
from builder.models import Trigger
from builder.models.doors.house_kinds import BUDGET_MARK, ITEM_WAITING
from builder.models.doors.house_kinds import KINDS as EVENTS

TOKEN: Final = re.compile(r"[A-Za-z0-9-]{1,64}")
CUSTOM: Final[Mapping[str, tuple[str, ...]]] = {
    "algorithm": ("sha256", "sha512", "sha1"),
    "encoding": ("hex", "base64"),
}
"""What a custom signature chooses from; the first counts until something is said."""
HEADERS: Final[Mapping[str, str]] = {
    "header": "X-Signature",
    "timestamp_header": "",
    "id_header": "X-Delivery-Id",
}
LARGEST_KIB: Final = 5 * 1024
MISSED: Final = ("once", "skip", "all")
"""What becomes of times that nobody was there for; the first counts until something is said."""
LONGEST_ANSWER_S: Final = 25
"""So long a call may wait for its result: senders and what stands before us wait 30 s at least."""
LONGEST_WAIT: Final = 30 * 24 * 60
"""Minutes."""
MARKS: Final = (50, 75, 90, 100)
"""Percent of a budget that are told."""
COMMON: Final = frozenset({"signature", "max_kib", "answer_s"})


def checked(kind: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the whole config of a trigger. Raises `InvalidInput` with the place."""
    return KINDS[kind](config)


def _webhook(config: Mapping[str, Any]) -> dict[str, Any]:
    signature, most = config.get("signature", "standard"), config.get("max_kib", 1024)
    if not isinstance(signature, str) or signature not in SCHEMES:
        raise InvalidInput(f"one of {', '.join(SCHEMES)}", path="config.signature")
    if type(most) is not int or not 1 <= most <= LARGEST_KIB:
        raise InvalidInput(f"1 to {LARGEST_KIB}, in KiB", path="config.max_kib")
    answer_s = config.get("answer_s", 0)
    if type(answer_s) is not int or not 0 <= answer_s <= LONGEST_ANSWER_S:
        raise InvalidInput(f"0 to {LONGEST_ANSWER_S}, in seconds", path="config.answer_s")
    _known(config, COMMON | ({*CUSTOM, *HEADERS, "prefix"} if signature == "custom" else set()))
    found = {"signature": signature, "max_kib": most, "answer_s": answer_s}
    return {**found, **_custom(config)} if signature == "custom" else found


def _custom(config: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, choices in CUSTOM.items():
        found[name] = config.get(name, choices[0])
        if found[name] not in choices:
            raise InvalidInput(f"one of {', '.join(choices)}", path=f"config.{name}")
    for name, usual in HEADERS.items():
        found[name] = config.get(name, usual)
        said = isinstance(found[name], str) and TOKEN.fullmatch(found[name])
        if not said and (name == "header" or found[name] != ""):
            raise InvalidInput("the name of a header", path=f"config.{name}")
    found["prefix"] = config.get("prefix", "")
    if not isinstance(found["prefix"], str) or len(found["prefix"]) > 40:
        raise InvalidInput("text of 40 characters at most", path="config.prefix")
    return found


def _known(config: Mapping[str, Any], names: frozenset[str] | set[str]) -> None:
    if strange := sorted(set(config) - names):
        raise InvalidInput("there is no such setting", path=f"config.{strange[0]}")


def _schedule(config: Mapping[str, Any]) -> dict[str, Any]:
    _known(config, frozenset({"cron", "zone", "missed"}))
    cron, zone = times.check(config.get("cron"), config.get("zone", "UTC"))
    missed = config.get("missed", MISSED[0])
    if missed not in MISSED:
        raise InvalidInput(f"one of {', '.join(MISSED)}", path="config.missed")
    return {"cron": cron, "zone": zone, "missed": missed}


def _event(config: Mapping[str, Any]) -> dict[str, Any]:
    on = config.get("on")
    if not isinstance(on, list) or not on or not all(isinstance(one, str) for one in on):
        raise InvalidInput("a list of what starts it", path="config.on")
    if strange := [one for one in on if one not in EVENTS]:
        raise InvalidInput(f"there is no event {strange[0][:40]!r}", path="config.on")
    found: dict[str, Any] = {"on": list(dict.fromkeys(on))}
    allowed = {"on", "workflow"}
    if config.get("workflow") is not None:
        if not isinstance(config["workflow"], str) or not config["workflow"]:
            raise InvalidInput("the id of a workflow", path="config.workflow")
        found["workflow"] = config["workflow"]
    if ITEM_WAITING in on:
        allowed.add("minutes")
        found["minutes"] = minutes = config.get("minutes", 60)
        if type(minutes) is not int or not 1 <= minutes <= LONGEST_WAIT:
            raise InvalidInput(f"1 to {LONGEST_WAIT}, in minutes", path="config.minutes")
    if BUDGET_MARK in on:
        allowed.add("percent")
        found["percent"] = config.get("percent", MARKS[0])
        if type(found["percent"]) is not int or found["percent"] not in MARKS:
            raise InvalidInput(f"one of {', '.join(map(str, MARKS))}", path="config.percent")
    _known(config, allowed)
    return found


KINDS: Final[Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]]] = {
    Trigger.Kind.WEBHOOK: _webhook,
    Trigger.Kind.SCHEDULE: _schedule,
    Trigger.Kind.EVENT: _event,
}
