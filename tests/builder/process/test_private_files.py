"""What the process writes into `var/` is for its owner only."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

from tests.e2e.app import ROOT


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_database_and_its_neighbours_are_nobody_elses(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir(mode=0o755)
    old = var / "old.sqlite3"
    old.write_text("")
    old.chmod(0o644)
    code = (
        "import django; django.setup()\n"
        "from django.db import connection\n"
        "cursor = connection.cursor(); cursor.execute('CREATE TABLE t (a)')\n"
        "from pathlib import Path; from django.conf import settings\n"
        "print(*sorted(f'{p.name} {oct(p.stat().st_mode & 0o777)}' for p in "
        "Path(settings.VAR_DIR).iterdir()), sep='\\n')"
    )
    environ = {**os.environ, "GRAPHWRIGHT_VAR": str(var)}
    environ |= {"DJANGO_SETTINGS_MODULE": "builder.project.settings", "DATABASE_URL": ""}

    said = subprocess.run(
        [sys.executable, "-c", f"import os; os.umask(0o022)\n{code}"],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    modes = dict(line.split() for line in said.splitlines())
    assert {"graphwright.sqlite3", "graphwright.sqlite3-wal", "graphwright.sqlite3-shm"} <= set(
        modes
    )
    assert set(modes.values()) == {"0o600"}
    assert mode(var) == 0o700


def test_what_a_web_server_reads_stays_readable() -> None:
    from django.conf import settings

    assert (settings.FILE_UPLOAD_PERMISSIONS, settings.FILE_UPLOAD_DIRECTORY_PERMISSIONS) == (
        0o644,
        0o755,
    )
