"""Dear work in turns: one at a time for each person."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from builder.base.errors import TooMany
from builder.base.turns import PersonalTurns


def test_one_person_gets_one_turn_at_a_time_and_a_few_wait() -> None:
    turns = PersonalTurns(waiting=2, patience_s=5)
    together, let_go = threading.Barrier(8), threading.Event()
    lock = threading.Lock()
    inside = most = refused = 0

    def work(_n: int) -> str:
        nonlocal inside, most, refused
        together.wait()
        try:
            with turns.taken("ann"):
                with lock:
                    inside += 1
                    most = max(most, inside)
                assert let_go.wait(5)
                with lock:
                    inside -= 1
                return "done"
        except TooMany as error:
            with lock:
                refused += 1
                if refused == 5:
                    let_go.set()
            return error.code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(work, range(8)))

    assert most == 1
    assert sorted(answers) == ["Busy"] * 5 + ["done"] * 3


def test_one_person_does_not_keep_another_waiting() -> None:
    turns = PersonalTurns(waiting=0, patience_s=0.01)

    with turns.taken("ann"), turns.taken("ben"), pytest.raises(TooMany), turns.taken("ann"):
        pass
    with turns.taken("ann"):
        pass


def test_who_waited_too_long_is_sent_away_and_leaves_room() -> None:
    turns = PersonalTurns(waiting=1, patience_s=0.01)

    with turns.taken("ann"):
        for _ in range(3):
            with pytest.raises(TooMany), turns.taken("ann"):
                pass
