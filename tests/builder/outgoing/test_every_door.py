"""The table of doors is whole: no module calls out that has no row, and none has a way of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.builder.outgoing.doors import DOORS

ROOT: Final = Path(__file__).resolve().parents[3]
EGRESS: Final = ROOT / "engine" / "integrations" / "egress"
CALLS: Final = {"request", "transport", "client", "dial"}
"""What an egress is asked for by whoever calls out."""
OF_ITS_OWN: Final = re.compile(
    r"AsyncClient\(|httpx2?\.(get|post|request|stream|Client)\b|HTTPTransport\(|urllib\.request|"
    r"^import requests\b|aiohttp|create_connection\(|open_connection\(|smtplib|imaplib|"
    r"http\.client|ftplib|telnetlib|xmlrpc",
    re.MULTILINE,
)
ALLOWED: Final = {
    "engine/integrations/models/wire.py": "a client over the transport that the provider was given",
    "engine/integrations/models/discovery.py": "four fixed ports of this machine, named by nobody",
    "engine/integrations/egress/client.py": "the client of the egress",
    "engine/integrations/egress/transport.py": "the transport of the egress",
}


def modules() -> Iterator[tuple[str, str]]:
    for top in ("engine", "builder"):
        for path in sorted((ROOT / top).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text()


def calls_out(text: str) -> bool:
    """Say whether a module asks an egress for a call or a way to make one."""
    for found in ast.walk(ast.parse(text)):
        if isinstance(found, ast.Call) and isinstance(found.func, ast.Attribute):
            asked = ast.unparse(found.func.value).lower()
            if found.func.attr in CALLS and "egress" in asked:
                return True
    return False


def test_each_module_that_calls_out_has_a_row() -> None:
    calling = {name for name, text in modules() if "egress" in text and calls_out(text)}

    assert calling == {door.module for door in DOORS}


def test_nothing_goes_out_by_a_way_of_its_own() -> None:
    found = {name for name, text in modules() if OF_ITS_OWN.search(text)}

    assert found - set(ALLOWED) == set()
