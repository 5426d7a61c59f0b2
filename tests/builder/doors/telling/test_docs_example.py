"""The example of `docs/notifications.md` reads what we sign, and nothing else."""

from __future__ import annotations

import re
import time
from typing import Any

from engine.integrations.channels.kind import Place
from engine.integrations.channels.webhook import signed
from tests.repository import ROOT

SECRETS = [f"whsec_{letter * 43}=" for letter in "AB"]


def test_the_example_in_python_verifies_a_call() -> None:
    page = (ROOT / "docs" / "notifications.md").read_text()
    found = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert found is not None
    names: dict[str, Any] = {}
    exec(found[1], names)
    is_ours, now, body = names["is_ours"], int(time.time()), b'{"type": "test"}'
    place = Place("https://example.com/hook")
    fresh = signed(place, SECRETS, "msg-1", now, body)
    stale = signed(place, SECRETS, "msg-1", now - 301, body)

    assert all(is_ours(secret, fresh.headers, body) for secret in SECRETS)
    assert not is_ours(SECRETS[0], fresh.headers, body + b" ")
    assert not is_ours("whsec_" + "C" * 43 + "=", fresh.headers, body)
    assert not is_ours(SECRETS[0], stale.headers, body)
