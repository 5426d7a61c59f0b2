"""When enough people have approved, held against trying every way of seating them."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.people.quorum import ANYONE, NOBODY, can_be_met, missing, seated

Options = list[list[int] | None]


@st.composite
def elections(draw: st.DrawFn) -> tuple[Options, int]:
    seats = draw(st.integers(1, 4))
    some = st.lists(st.integers(0, seats - 1), unique=True)
    return draw(st.lists(st.none() | some, max_size=5)), seats


def most(options: Options, seats: int) -> int:
    """Return how many seats can be filled, by trying every order of people on every seat."""
    people: list[int | None] = [*range(len(options)), *([None] * seats)]
    return max(
        sum(_fits(options, who, seat) for seat, who in enumerate(order))
        for order in set(permutations(people, seats))
    )


def _fits(options: Options, who: int | None, seat: int) -> bool:
    if who is None:
        return False
    fills = options[who]
    return fills is None or seat in fills


@given(elections())
def test_nobody_sits_twice_and_no_seat_stays_empty_needlessly(
    election: tuple[Options, int],
) -> None:
    """C96: One person fills one seat, and as many seats are filled as can be."""
    options, seats = election
    found = seated(options, seats)

    assert len(set(found.values())) == len(found) == most(options, seats)
    assert all(_fits(options, who, seat) for seat, who in found.items())


@given(elections(), elections())
def test_another_approval_never_takes_a_seat_away(
    election: tuple[Options, int], more: tuple[Options, int]
) -> None:
    """C96: What is filled stays filled when others approve too."""
    options, seats = election
    others = [fills and [seat for seat in fills if seat < seats] for fills in more[0]]

    assert set(seated(options, seats)) <= set(seated([*options, *others], seats))


@pytest.mark.parametrize(
    ("seats", "approvals", "left"),
    [
        ([ANYONE, ANYONE], [None], [ANYONE]),
        ([ANYONE, ANYONE], [None, None, None], []),
        (["group:a", "group:b"], [[0, 1]], ["group:b"]),
        (["group:a", "group:b"], [[0, 1], [0]], []),
        (["group:a", "group:b"], [[0], [0]], ["group:b"]),
        ([NOBODY], [[]], [NOBODY]),
    ],
)
def test_what_is_missing(seats: list[str], approvals: Options, left: list[str]) -> None:
    """C96: Who stands in two groups speaks for one of them."""
    assert missing(seats, approvals) == left


def test_whether_enough_people_are_left() -> None:
    """C96: Approval can be reached as long as those who are left could fill what is empty."""
    seats = ["group:a", "group:b"]

    assert can_be_met(seats, [[0]], [[1]])
    assert not can_be_met(seats, [[0]], [[0], [0]])
    assert can_be_met(seats, [[0, 1]], [[0]])
