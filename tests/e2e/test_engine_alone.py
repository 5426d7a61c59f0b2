"""docs/use-the-engine-without-the-web.md: its script runs without Django, is killed, and goes on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.runtime.stores.sql.sqlite_file import held
from tests.e2e.server import wait_until

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "use-the-engine-without-the-web.md"
BARRED = ("django", "rest_framework", "channels", "builder")

pytestmark = pytest.mark.slow


def script_of_page() -> str:
    """Return the page's first Python block."""
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the script, beside modules that break whoever imports the web's packages."""
    script = script_of_page()
    assert "asyncio.sleep(5)" in script
    (tmp_path / "letters.py").write_text(script.replace("asyncio.sleep(5)", "asyncio.sleep(1)"))
    for name in BARRED:
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('no {name} here')\n")
    return tmp_path


def begin(folder: Path) -> subprocess.Popen[str]:
    """Start the script."""
    return subprocess.Popen(
        [sys.executable, "letters.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def posted(folder: Path) -> list[str]:
    path = folder / "post-office.txt"
    return path.read_text().splitlines() if path.exists() else []


def test_the_script_is_short() -> None:
    code = [line for line in script_of_page().splitlines() if line.strip()]

    assert len(code) <= 45


def test_the_script_goes_on_after_kill_9(folder: Path) -> None:
    """I1, I5: What is over stays over; what was under way is called again under the same key."""
    first = begin(folder)
    wait_until(lambda: len(posted(folder)) == 2 or first.poll() is not None, "the second letter")
    os.kill(first.pid, signal.SIGKILL)
    said, errors = first.communicate()
    assert first.returncode == -signal.SIGKILL, errors
    assert len(posted(folder)) == 2

    again = begin(folder)
    said, errors = again.communicate(timeout=60)

    assert (again.returncode, errors) == (0, "")
    assert said == "Ada completed posted\nGrace completed posted\n"
    ada, grace, grace_again = posted(folder)
    assert ada.endswith(" Hello Ada!")
    assert grace.endswith(" Hello Grace!")
    assert grace_again == grace
    assert ada.split()[0] != grace.split()[0]

    third = begin(folder)
    assert third.communicate(timeout=60) == (said, "")
    assert len(posted(folder)) == 3


def test_a_second_script_is_told_who_has_the_file(folder: Path) -> None:
    with held(folder / "runs.db"):
        _, errors = begin(folder).communicate(timeout=60)

    assert f"StoreInUse: process {os.getpid()} has {folder / 'runs.db'} open" in errors
    assert posted(folder) == []
