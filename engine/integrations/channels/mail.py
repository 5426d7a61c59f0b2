"""Mail: an address, which is written in words by whoever has a mail server."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from engine.integrations.channels.kind import AddressInvalid, Kind, Place
from engine.integrations.egress import Origin

ADDRESS: Final = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){1,8}"
)


def _check(place: Place, _allowed: Collection[Origin]) -> str:
    if not ADDRESS.fullmatch(place.address):
        raise AddressInvalid("an address such as ops@example.com")
    name, _, host = place.address.rpartition("@")
    return f"{name[:1]}…@{host}"


MAIL: Final = Kind(_check)
