"""An upgrade without a gap: every process is replaced in turn, and nobody is told of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.e2e.rolling import Fleet, Upgrade, upgrade
from tests.e2e.server import serving


def upgraded(
    folder: Path, url: str, *, runs: int, sockets: int, pages: int, rounds: int
) -> Upgrade:
    """Return what people saw of an upgrade of two web processes and two workers."""
    with serving(folder, Fleet, DATABASE_URL=url) as fleet:
        assert isinstance(fleet, Fleet)
        fleet.begin(webs=2, workers=2)
        client = fleet.client()
        client.set_up()
        seen = asyncio.run(
            upgrade(fleet, client, runs=runs, sockets=sockets, pages=pages, rounds=rounds)
        )
        assert "Traceback" not in fleet.log.read_text()
        return seen


def assert_unseen(seen: Upgrade, runs: int) -> None:
    """Hold what people saw: all runs ended well, each once, all of each in each stream, no error."""
    person = seen.person
    assert seen.ends == {"completed": runs + person.begun}
    assert len(person.runs) == person.begun > 3
    assert set(person.statuses) == {200, 201}, person.statuses
    assert all(watcher.is_whole for watcher in seen.watchers)
    refused = [why for watcher in seen.watchers for why in watcher.failed if "rejected" in why]
    assert not refused
    pages = seen.onlookers
    assert (pages.alerts, pages.refused, pages.uncaught) == ([], [], [])
    assert pages.completed == len(pages.runs) > 0
    assert pages.visited > 3


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.postgres
def test_every_process_is_replaced_and_nobody_notices(tmp_path: Path, migrated_url: str) -> None:
    """I1, I3: runs change hands by a drain, pages by what asks again."""
    seen = upgraded(tmp_path, migrated_url, runs=8, sockets=8, pages=8, rounds=1)

    assert_unseen(seen, 8)
    assert any(watcher.failed for watcher in seen.watchers), "no socket was cut: nothing was proven"


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.postgres
def test_a_hundred_runs_and_twenty_pages_do_not_notice(tmp_path: Path, migrated_url: str) -> None:
    """I1, I3: the long form, three upgrades one after the other."""
    seen = upgraded(tmp_path, migrated_url, runs=100, sockets=20, pages=20, rounds=3)

    assert_unseen(seen, 100)
