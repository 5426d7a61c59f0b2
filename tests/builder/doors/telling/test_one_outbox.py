"""Two processes carry one outbox, on both databases: each notice goes out once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builder.doors.telling.receiver import receiving
from tests.e2e.app import ROOT

COUNT = 12


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_each_notice_goes_out_once(
    kind: str, tmp_path: Path, sqlite_template: Path, request: pytest.FixtureRequest
) -> None:
    shutil.copy(sqlite_template, tmp_path / "graphwright.sqlite3")
    own = {
        "DJANGO_SETTINGS_MODULE": "builder.project.settings",
        "GRAPHWRIGHT_VAR": str(tmp_path),
        "DATABASE_URL": request.getfixturevalue("migrated_url") if kind == "postgres" else "",
    }
    with receiving() as receiver:
        environ = {**os.environ, **own, "EGRESS_ALLOW": receiver.address}

        def begin(*words: str) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", "tests.builder.doors.telling.two_carriers", *words]
            return subprocess.Popen(command, cwd=ROOT, env=environ)

        assert begin("prepare", receiver.address, str(COUNT)).wait(120) == 0
        carriers = [begin("carry"), begin("carry")]
        assert [each.wait(120) for each in carriers] == [0, 0]

        ids = [one.headers["webhook-id"] for one in receiver.came]
    assert len(ids) == len(set(ids)) == 2 * COUNT
