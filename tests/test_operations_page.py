"""`docs/operations.md` names only settings and figures that there are: who sets an alarm must find it."""

from __future__ import annotations

import re
from typing import Final

from tests.repository import ROOT

PAGE: Final = (ROOT / "docs/operations.md").read_text()
FOREIGN: Final = {
    "POSTGRES_PASSWORD",  # of PostgreSQL's own image
    "SIGTERM",
}


def sources(folder: str) -> str:
    """Return the text of all Python files below a folder."""
    return "\n".join(path.read_text() for path in (ROOT / folder).rglob("*.py"))


def figures() -> set[str]:
    """Return the names that `/metrics` may have, those that a counter or a queue adds to it included."""
    text = sources("builder/project/metrics") + sources("builder/process/watch")
    whole = set(re.findall(r'"(graphwright_\w+)"', text))
    short = {f"graphwright_{name}" for name in re.findall(r'_(?:gauge|queue)\(\s*"(\w+)"', text)}
    queues = {f"graphwright_{name}" for name in re.findall(r'_queue\(\s*"(\w+)"', text)}
    added = {f"{name}_total" for name in whole} | {f"{name}_oldest_seconds" for name in queues}
    return whole | short | added | set(re.findall(r"(graphwright_\w+) gauge", text))


def test_every_figure_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"graphwright_(?!weather)\w+", PAGE))

    assert len(named) > 10
    assert named - figures() == set()


def test_every_setting_that_the_page_names_is_read() -> None:
    named = set(re.findall(r"`([A-Z][A-Z_]{3,})(?:=[^`]*)?`", PAGE))
    read = set(re.findall(r'"([A-Z][A-Z_]+)"', (ROOT / "builder/project/settings.py").read_text()))

    assert "API_PACE" in named
    assert named - read - FOREIGN == set()
