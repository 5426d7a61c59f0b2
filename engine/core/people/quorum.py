"""When enough people have approved: seats, and who can fill them. Pure, and about no run.

A rule that needs several people is a list of seats: `at_least: 2` has two that anybody fills,
`per_group` one for each group, `all` one for each person. Everyone fills one seat only, so someone
who stands in two groups speaks for one of them. What a person can fill is a list of seat numbers,
None where it is any seat: `Fills`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

Fills: TypeAlias = Collection[int] | None

ANYONE = "*"
"""The seat that anybody eligible fills."""

NOBODY = "nobody"
"""The seat that nobody fills: a policy that needs somebody, and names no one."""

EVERY = "every:"
"""Begins the seat of people whom nobody can list: no single one of them fills it."""


def seated(options: Iterable[Fills], seats: int) -> dict[int, int]:
    """Return seat → index of the option that takes it, for as many seats as can be filled at once.

    Who comes first in `options` keeps a seat, though not always the same one.
    """
    wanted = [range(seats) if fills is None else fills for fills in options]
    holder: dict[int, int] = {}
    for index in range(len(wanted)):
        if len(holder) == seats:
            break
        _seat(index, wanted, holder)
    return holder


def _seat(index: int, wanted: Sequence[Collection[int]], holder: dict[int, int]) -> None:
    """Give `index` a seat, moving others where that makes room (an augmenting path)."""
    came_from: dict[int, int | None] = dict.fromkeys(wanted[index])
    line = deque(came_from)
    while line:
        seat: int | None = line.popleft()
        assert seat is not None
        if seat not in holder:
            while seat is not None:
                before = came_from[seat]
                holder[seat] = index if before is None else holder[before]
                seat = before
            return
        for other in wanted[holder[seat]]:
            if other not in came_from:
                came_from[other] = seat
                line.append(other)


def missing(seats: Sequence[str], approvals: Iterable[Fills]) -> list[str]:
    """Return the seats that the approvals leave empty."""
    taken = seated(approvals, len(seats))
    return [name for number, name in enumerate(seats) if number not in taken]


def can_be_met(
    seats: Sequence[str], approvals: Iterable[Fills], candidates: Iterable[Fills]
) -> bool:
    """Return whether the candidates, did they all approve too, would fill what is empty."""
    return len(seated([*approvals, *candidates], len(seats))) == len(seats)
