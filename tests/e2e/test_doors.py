"""A crowd that guesses passwords costs itself, not the people at work: on the served product."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.e2e.server import Client, serving

pytestmark = pytest.mark.slow
OWNER = {"email": "olga@example.com", "password": "correct horse battery"}
CROWD = 60
AS_DEAR = "builder.project.settings"
"""Passwords cost here what they cost people."""


def guess(port: int, number: int, address: str) -> tuple[int, float]:
    """Try a password of an account that there is not; return status and seconds."""
    client, began = Client(port), time.monotonic()
    client.csrf = client.get("/api/session/")["csrf_token"]
    body = {"email": f"n{number}@example.com", "password": "x"}
    status, _ = client.request("POST", "/api/session/", body, **{"X-Forwarded-For": address})
    return status, time.monotonic() - began


def sign_in(port: int, address: str) -> tuple[int, float]:
    """Sign in as a person does whose page tries again when it is asked to."""
    client, began = Client(port), time.monotonic()
    client.csrf = client.get("/api/session/")["csrf_token"]
    for _try in range(5):
        status, body = client.request(
            "POST", "/api/session/", OWNER, **{"X-Forwarded-For": address}
        )
        if status != 429 or body["code"] != "Busy":
            break
        time.sleep(body["retry_after_s"])
    return status, time.monotonic() - began


def test_sixty_guesses_at_once_hold_nobody_up(tmp_path: Path, sqlite_template: Path) -> None:
    with serving(
        tmp_path,
        template=sqlite_template,
        BEHIND_PROXY="1",
        SECRET_KEY="s" * 50,
        DJANGO_SETTINGS_MODULE=AS_DEAR,
    ) as server:
        server.start()
        olga = server.client()
        olga.set_up()
        waits: list[float] = []
        over = threading.Event()

        def look() -> None:
            while not over.is_set():
                began = time.monotonic()
                olga.get("/api/session/")
                waits.append(time.monotonic() - began)

        watching = threading.Thread(target=look)
        watching.start()
        with ThreadPoolExecutor(CROWD + 1) as pool:
            crowd = [pool.submit(guess, server.port, n, "198.51.100.66") for n in range(CROWD)]
            person = pool.submit(sign_in, server.port, "203.0.113.5")
            answers = Counter(one.result()[0] for one in crowd)
            status, waited = person.result()
        over.set()
        watching.join()

    assert set(answers) == {403, 429}
    assert answers[403] <= 15
    assert status == 200
    assert waited < 15
    assert max(waits) < 5


def test_a_forged_address_does_not_get_round_without_a_proxy(
    tmp_path: Path, sqlite_template: Path
) -> None:
    with serving(
        tmp_path,
        template=sqlite_template,
        SECRET_KEY="s" * 50,
        DJANGO_SETTINGS_MODULE=AS_DEAR,
    ) as server:
        server.start()
        server.client().set_up()
        with ThreadPoolExecutor(12) as pool:
            crowd = [pool.submit(guess, server.port, n, f"198.51.100.{n}") for n in range(12)]
            answers = {one.result()[0] for one in crowd}

    assert answers == {403, 429}, "of one address three are looked at at once, and no more"
