"""The engine reads the log of an archived run as it read it before: state, forks and verification."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from builder.adapters.run_store.archive import run_file, shelf
from builder.services.verification.check import Looked, check
from builder.services.verification.snapshot import snapshot
from engine.core.errors import RunUnreadable
from engine.local import LocalGraphs
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.store_world import BUSY, Installation, create, installation, note

__all__ = ["installation"]


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> None:
    """The folder of archived runs of a test."""
    settings.ARCHIVE_DIR = str(tmp_path / "archive")


def archive(installation: Installation, run_id: str) -> None:
    """Put the log of a run into a file, and leave its first and last event in the table."""
    look = installation.look
    rows = look.rows("SELECT place, type, at, key, data FROM builder_runevent ORDER BY place")
    events = [(row[0] % EVENTS_PER_RUN, *row[1:4], bytes(row[4])) for row in rows]
    path = shelf.path_of(run_id)
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        written = run_file.write(file, {"run": run_id}, events, ())
    look.change(
        "INSERT INTO builder_runarchive (run, head, at, size, plain, sha256, parts) "
        "VALUES (?, ?, 1, ?, ?, ?, ?)",
        (run_id, len(rows), written.size, written.plain, written.sha256, written.index.text()),
    )
    look.change(
        "DELETE FROM builder_runevent WHERE place > ? AND place < ?", (rows[0][0], rows[-1][0])
    )


async def findings(installation: Installation) -> list[str]:
    with snapshot(installation.look.dialect) as look:
        found = check(look, LocalGraphs([BUSY]), Looked(), run_id="r1")
        return [str(one) async for one in found if "audit log" not in str(one)]


async def test_the_engine_reads_an_archived_log_as_before(installation: Installation) -> None:
    """I20."""
    local = await installation.process()
    await create(local, BUSY, "r1", input={"a": 1})
    for text in ("one", "two", "three", "four"):
        await local.store.transact("r1", None, note(text))
    before = await local.store.events("r1")
    state = await local.store.state("r1", 3)
    told = await findings(installation)
    archive(installation, "r1")

    other = await installation.process()
    assert list(await other.store.events("r1")) == list(before)
    assert [e.seq for e in await other.store.events("r1", 1, 2)] == [2, 3]
    assert (await other.store.state("r1", 3)).memory == state.memory
    assert await findings(installation) == told

    await other.store.transact("r1", None, note("late"))
    third = await installation.process()
    assert [e.seq for e in await third.store.events("r1")] == [1, 2, 3, 4, 5, 6]
    assert [e.seq for e in await third.store.events("r1", 4)] == [5, 6]


async def test_without_its_file_an_archived_run_cannot_be_read(installation: Installation) -> None:
    local = await installation.process()
    await create(local, BUSY, "r1", input={"a": 1})
    for text in ("one", "two"):
        await local.store.transact("r1", None, note(text))
    archive(installation, "r1")
    shelf.path_of("r1").unlink()

    other = await installation.process()
    with pytest.raises(RunUnreadable):
        await other.store.state("r1")
    assert any("cannot be read" in one for one in await findings(installation))
