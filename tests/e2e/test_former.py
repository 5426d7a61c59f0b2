"""An upgrade from the code before the last migration: two versions on one database for a while."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.e2e.former import Succession, former_commit, lay_out
from tests.e2e.rolling import upgrade
from tests.e2e.server import serving
from tests.e2e.test_rolling import assert_unseen


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.postgres
def test_processes_of_the_version_before_go_on_beside_todays(
    tmp_path: Path, postgres_url: str
) -> None:
    """I1, I3: the old ones on the new tables, the old pages at the new servers."""
    commit = former_commit()
    if not commit:
        pytest.skip("this clone does not have the version before")
    tree = lay_out(commit, tmp_path / "former")
    with serving(tmp_path / "served", Succession, DATABASE_URL=postgres_url) as fleet:
        assert isinstance(fleet, Succession)
        fleet.of(tree)
        fleet.begin(webs=2, workers=2)
        tables = len(fleet.rows("SELECT * FROM django_migrations"))
        client = fleet.client()
        client.set_up()
        keeps = "KEPT_BUILDS" in (tree / "builder/project/settings.py").read_text()
        unvisited = "Memory" if keeps else ""  # versions before had to be loaded anew for it
        seen = asyncio.run(
            upgrade(fleet, client, runs=20, sockets=20, pages=20, rounds=1, unvisited=unvisited)
        )
        assert len(fleet.rows("SELECT * FROM django_migrations")) >= tables
        assert "Traceback" not in fleet.log.read_text(), fleet.log.read_text()[-6000:]

    assert_unseen(seen, 20)
