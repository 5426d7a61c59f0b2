"""The walks of `docs/architecture.md` name what is there, and its table counts what they name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text()
WALKS = dict(
    re.findall(r"^\*\*\d\. An? ([^*]+)\.\*\* (.+?)\n\n", PAGE, flags=re.MULTILINE | re.DOTALL)
)
STOP = re.compile(r"`([\w./]+\.(?:py|tsx?))`(?: \(([^)]*)\))?")
NAME = re.compile(r"`(#?\w+)`")


class Stop(NamedTuple):
    """A file that a walk passes, and the functions in it; None where it has none."""

    file: str
    names: list[str] | None


def stops(walk: str) -> list[Stop]:
    return [
        Stop(match[1], None if match[2] is None else NAME.findall(match[2]))
        for match in STOP.finditer(walk)
    ]


def counted(walk: str) -> tuple[int, int, int]:
    """Return hops, files and returns of a walk."""
    way = stops(walk)
    hops = sum(1 if stop.names is None else len(stop.names) for stop in way)
    steps = [stop.file for at, stop in enumerate(way) if not at or way[at - 1].file != stop.file]
    return hops, len(set(steps)), len(steps) - len(set(steps))


def table() -> dict[str, tuple[int, ...]]:
    rows = re.findall(r"^\| (\w+) \| (\d+), (\d+), (\d+) \|", PAGE, flags=re.MULTILINE)
    return {name: tuple(map(int, numbers)) for name, *numbers in rows}


def test_a_return_is_a_step_back_and_a_hop_a_function() -> None:
    walk = "`a.py` (`f`, `g`: **the row**) → `b.py` → `a.py` (`h`, again) ⇢ `a.py` (`i`) → `c.ts` (goes on)"

    assert counted(walk) == (5, 3, 1)


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_passes_what_is_there(name: str) -> None:
    for file, functions in stops(WALKS[name]):
        text = (ROOT / file).read_text()
        for function in functions or ():
            assert re.search(rf"(?<!\w){re.escape(function)}\b", text), (file, function)


def test_the_table_says_what_the_walks_are() -> None:
    walked = {
        name.split()[-1].removeprefix("budget "): counted(walk) for name, walk in WALKS.items()
    }
    walked["outcome"] = walked.pop("browser")

    assert table() == walked
