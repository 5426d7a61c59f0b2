"""The servers and the browser that other tests stand on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Page

from builder.process.up.account import Account, unprivileged
from builder.process.up.binaries import installed, usable_binaries
from tests import browser as browser_module
from tests.browser import NoBrowser, find_chromium
from tests.services import (
    ServerFailed,
    _folder,
    fresh_database,
    postgres_server,
    running,
)


@pytest.mark.postgres
def test_postgres_keeps_rows_between_connections(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as first:
        first.execute("CREATE TABLE note (body text)")
        first.execute("INSERT INTO note VALUES ('kept')")

    with psycopg.connect(postgres_url) as second:
        row = second.execute("SELECT body FROM note FOR UPDATE SKIP LOCKED").fetchone()

    assert row == ("kept",)


@pytest.mark.postgres
def test_each_database_is_empty_and_dropped_at_the_end(postgres_server_url: str) -> None:
    with fresh_database(postgres_server_url) as one, psycopg.connect(one) as connection:
        connection.execute("CREATE TABLE note (body text)")
        connection.commit()
        with fresh_database(postgres_server_url) as other, psycopg.connect(other) as elsewhere:
            tables = "SELECT count(*) FROM pg_tables WHERE tablename = 'note'"
            assert elsewhere.execute(tables).fetchone() == (0,)

    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(one)


@pytest.mark.postgres
@pytest.mark.slow
def test_postgres_takes_settings_and_ends_with_its_block() -> None:
    with postgres_server({"fsync": "on"}) as url, psycopg.connect(url) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("on",)
        assert connection.info.server_version >= 180000

    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url, connect_timeout=2)


@pytest.mark.postgres
@pytest.mark.skipif(os.geteuid() != 0, reason="only root must hand PostgreSQL to another account")
def test_binaries_that_nobody_cannot_reach_are_copied(tmp_path: Path) -> None:
    account = unprivileged()
    hidden = tmp_path / "hidden"
    hidden.mkdir(mode=0o700)
    own = installed()
    for name in (own.name, own.name + ".libs"):
        (hidden / name).symlink_to(own.with_name(name))
    package = hidden / own.name
    with _folder(account, "gw-copy-") as folder:
        bin_folder = usable_binaries(account, folder, package)

        assert bin_folder.is_relative_to(folder)
        version = subprocess.run(
            [bin_folder / "initdb", "--version"], user=account.uid, check=True, capture_output=True
        )
        assert b"PostgreSQL" in version.stdout


def test_a_server_that_ends_at_once_is_reported_with_its_log(tmp_path: Path) -> None:
    command = ["/bin/sh", "-c", "echo no such setting; exit 3"]

    with (
        pytest.raises(ServerFailed, match="no such setting"),
        running(command, Account(), tmp_path, lambda: False),
    ):
        pass


def test_a_wrong_chrome_path_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROME_PATH", "/no/such/browser")

    with pytest.raises(NoBrowser, match="/no/such/browser"):
        find_chromium()


def test_no_browser_at_all_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CHROME_PATH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser_module, "PACKAGE", tmp_path / "absent")

    with pytest.raises(NoBrowser, match="@sparticuz/chromium"):
        find_chromium()


@pytest.mark.browser
@pytest.mark.skipif(
    not Path(browser_module.ROOT / "frontend" / "package.json").exists()
    and not os.environ.get("CHROME_PATH"),
    reason="frontend/package.json, which brings Chromium, is not there yet",
)
def test_browser_runs_scripts_and_draws_text(page: Page) -> None:
    page.set_content("<h1>Hello</h1><script>document.title = String(6 * 7)</script>")

    assert page.title() == "42"
    box = page.locator("h1").evaluate(
        "h => { const r = document.createRange(); r.selectNodeContents(h);"
        " return r.getBoundingClientRect().width }"
    )
    assert box > 20  # a machine without any font draws text of no width
