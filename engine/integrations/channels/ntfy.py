"""ntfy: a topic of ntfy.sh or of a server of one's own, with an access token where it asks for one."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from engine.integrations.channels.kind import (
    AddressInvalid,
    Kind,
    Place,
    Post,
    as_json,
    https_target,
)
from engine.integrations.channels.message import Message, more
from engine.integrations.egress import Origin, parse_target

TOPIC: Final = re.compile(r"/([A-Za-z0-9_-]{1,64})")
TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,200}")
MOST: Final = 12


def _check(place: Place, allowed: Collection[Origin]) -> str:
    target = https_target(place, allowed)
    found = TOPIC.fullmatch(target.path)
    if found is None:
        raise AddressInvalid("server and topic: https://ntfy.sh/my-topic")
    if place.key and not TOKEN.fullmatch(place.key):
        raise AddressInvalid("an access token: letters and digits", "key")
    return f"{target.origin.host}/{found[1][:2]}…"


def _write(place: Place, message: Message) -> Post:
    target = parse_target(place.address)
    shown, left = message.shown(MOST)
    lines = [line.text for line in shown]
    lines += [more(left)] if left else []
    said = {"topic": target.path[1:], "title": message.title, "message": "\n".join(lines)}
    if shown:
        said["click"] = shown[0].link
    secret = {"Authorization": f"Bearer {place.key}"} if place.key else {}
    return as_json(str(target._replace(path="/")), said, secret)


NTFY: Final = Kind(_check, _write)
