"""Who may try a password, how often, from where; and what hashing costs everybody else."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.test import Client, override_settings
from django.utils import timezone

from builder.base.errors import TooMany
from builder.models import Attempt
from builder.project import hashers
from builder.services.people import attempts, doors
from builder.services.people.attempts import Limit
from builder.services.people.origins import address_of
from builder.services.runs.retention import pruning
from tests.builder.conftest import PASSWORD, Api, People

OTHER = "203.0.113.9"
LIMIT = Limit("a test", 3, timedelta(minutes=1))


def sign_in(browser: Client, email: str, password: str = "wrong") -> Any:
    body = {"email": email, "password": password}
    return browser.post("/api/session/", body, content_type="application/json")


def test_ever_other_accounts_from_one_address_are_stopped(people: People) -> None:
    answers = [sign_in(Client(), f"n{i}@example.com") for i in range(doors.MAX_FROM_ORIGIN + 1)]
    elsewhere = sign_in(Client(REMOTE_ADDR=OTHER), "bob@example.com", PASSWORD)

    assert {answer.status_code for answer in answers[:-1]} == {403}
    refused = answers[-1]
    assert (refused.status_code, refused.json()["code"]) == (429, "TooManyAttempts")
    assert 1 <= int(refused["Retry-After"]) <= doors.MOMENT.total_seconds()
    assert elsewhere.status_code == 200


def test_who_signed_in_here_before_is_not_kept_out_by_a_crowd(people: People) -> None:
    browser = Client()
    assert sign_in(browser, "bob@example.com", PASSWORD).status_code == 200
    browser.delete("/api/session/")
    for i in range(doors.MAX_FROM_ORIGIN + 1):
        crowd = sign_in(Client(), f"n{i}@example.com")

    assert crowd.status_code == 429
    assert sign_in(browser, "alice@example.com", PASSWORD).status_code == 429
    assert sign_in(browser, "Bob@example.com ", PASSWORD).status_code == 200


def test_a_known_browser_guesses_no_more_than_any_other(people: People) -> None:
    browser = Client()
    sign_in(browser, "bob@example.com", PASSWORD)

    tried = [sign_in(browser, "bob@example.com").status_code for _ in range(20)]

    assert tried.count(403) == doors.MAX_FAILURES
    browser.cookies["graphwright_device"] = "made:up"
    assert sign_in(browser, "bob@example.com", PASSWORD).status_code == 200


def test_people_who_sign_in_count_for_nothing(people: People) -> None:
    for _ in range(doors.MAX_FROM_ORIGIN + 5):
        assert sign_in(Client(), "bob@example.com", PASSWORD).status_code == 200
    sign_in(Client(), "bob@example.com")
    assert sign_in(Client(), "bob@example.com", PASSWORD).status_code == 200


@pytest.mark.parametrize(
    ("behind", "forwarded", "address"),
    [
        (False, "198.51.100.7", "192.0.2.1"),
        (True, "10.9.9.9, 198.51.100.7", "198.51.100.7"),
        (True, "", "192.0.2.1"),
        (True, "no address", "elsewhere"),
        (True, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (True, "::ffff:198.51.100.7", "198.51.100.7"),
        (True, "::1", "::/64"),
    ],
)
def test_the_proxys_word_counts_only_behind_one(
    rf: Any, behind: bool, forwarded: str, address: str
) -> None:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    with override_settings(BEHIND_PROXY=behind):
        assert address_of(rf.get("/", REMOTE_ADDR="192.0.2.1", headers=headers)) == address


def test_links_and_first_owners_are_counted_as_well(people: People, olga: Api) -> None:
    code = olga.post("invitations/", {}).json()["code"]
    known = {"code": code, "name": "B", "email": "bob@example.com", "password": PASSWORD}

    answers = [Api().post("join/", known).status_code for _ in range(doors.MAX_FROM_ORIGIN + 1)]

    assert answers == [409] * doors.MAX_FROM_ORIGIN + [429]


def test_attempts_are_forgotten_when_their_time_is_over(db: None) -> None:
    for _ in range(3):
        attempts.take(LIMIT)
    with pytest.raises(TooMany):
        attempts.take(LIMIT)
    Attempt.objects.update(until=timezone.now() - timedelta(seconds=1))
    attempts.take(LIMIT)
    assert Attempt.objects.get().count == 1

    Attempt.objects.update(until=timezone.now() - timedelta(seconds=1))
    pruning.prune_all(time.time_ns() // 1_000_000)
    assert not Attempt.objects.exists()


def test_of_many_who_come_at_once_so_many_are_counted(transactional_db: None) -> None:
    together = threading.Barrier(12)

    def knock(_n: int) -> bool:
        together.wait()
        try:
            attempts.take(LIMIT)
        except TooMany:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(12) as pool:
        passed = list(pool.map(knock, range(12)))

    assert passed.count(True) == LIMIT.most


def test_a_few_from_one_origin_are_inside_at_once(rf: Any, db: None) -> None:
    first, second, third = (doors.passing(rf.get("/")) for _ in range(3))
    with first, second, third:
        with pytest.raises(TooMany) as refused, doors.passing(rf.get("/")):
            pass
        with doors.passing(rf.get("/", REMOTE_ADDR=OTHER)):
            pass
    with doors.passing(rf.get("/")):
        pass
    assert refused.value.code == "Busy"


class Counted(hashers.FewAtOnce):
    """Takes a while, and counts how many are at it."""

    inside = most = 0
    lock = threading.Lock()

    def _hash(self) -> str:
        with Counted.lock:
            Counted.inside += 1
            Counted.most = max(Counted.most, Counted.inside)
        time.sleep(0.4)  # longer than threads of a busy machine take to come
        with Counted.lock:
            Counted.inside -= 1
        return "x"


@pytest.fixture
def slow_turns() -> Iterator[hashers.Turns]:
    Counted.inside = Counted.most = 0
    yield hashers.Turns(2, 4)
    assert Counted.inside == 0


def test_two_hash_at_once_a_few_wait_and_the_rest_is_sent_away(slow_turns: hashers.Turns) -> None:
    together = threading.Barrier(20)

    def hash_one(_n: int) -> str:
        together.wait()
        try:
            with slow_turns.taken(5):
                return Counted()._hash()
        except TooMany as refused:
            return refused.code

    with ThreadPoolExecutor(20) as pool:
        done = list(pool.map(hash_one, range(20)))

    assert Counted.most == 2
    assert done.count("x") == 6
    assert done.count("Busy") == 14


def test_who_waited_too_long_is_sent_away_and_leaves_room() -> None:
    one = hashers.Turns(1, 1)
    with one.taken(1), pytest.raises(TooMany), one.taken(0.01):
        pass
    with one.taken(0.01):
        pass


def test_the_shipped_hasher_takes_turns_and_reads_what_django_wrote(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from django.contrib.auth.hashers import PBKDF2PasswordHasher

    from builder.project import settings

    assert settings.PASSWORD_HASHERS == ["builder.project.hashers.FewAtOnce"]
    written = PBKDF2PasswordHasher().encode("secret words", "salt", 10)
    assert hashers.FewAtOnce().verify("secret words", written)
    monkeypatch.setattr(hashers, "PATIENCE_S", 0.01)
    with hashers.turns.taken(1), hashers.turns.taken(1), pytest.raises(TooMany):
        hashers.FewAtOnce().verify("secret words", written)


def test_a_hash_that_found_no_turn_is_no_guess(people: People) -> None:
    with (
        override_settings(PASSWORD_HASHERS=["builder.project.hashers.FewAtOnce"]),
        pytest.MonkeyPatch.context() as patch,
        hashers.turns.taken(1),
        hashers.turns.taken(1),
    ):
        patch.setattr(hashers, "PATIENCE_S", 0.01)
        busy = sign_in(Client(), "nobody@example.com")

    assert (busy.status_code, busy.json()["code"]) == (429, "Busy")
    assert busy["Retry-After"] == "2"
    assert set(Attempt.objects.values_list("count", flat=True)) == {0}
