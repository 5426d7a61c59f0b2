"""The short form of `make chaos`: five kills of each kind of installation, and every zero is one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.chaos.campaign import Outcome, Plan, campaign

pytestmark = pytest.mark.slow
KILLS = 5


def assert_unbroken(outcome: Outcome) -> None:
    assert outcome.verdict.is_clean, outcome.verdict.where
    assert outcome.kills == KILLS
    assert outcome.verdict.runs >= KILLS


def test_five_kills_break_no_promise(tmp_path: Path, sqlite_template: Path) -> None:
    """I1, I3, I5, I6, I9: One process, on SQLite."""
    (tmp_path / "var").mkdir()
    shutil.copy(sqlite_template, tmp_path / "var" / "graphwright.sqlite3")

    assert_unbroken(campaign(Plan("embedded", KILLS, seed=9, minutes=5, under_way=8), tmp_path))


@pytest.mark.postgres
def test_five_kills_among_processes_break_no_promise(tmp_path: Path) -> None:
    """I1, I3, I5, I6, I7, I9: Two that serve people and two that execute runs, on PostgreSQL."""
    assert_unbroken(campaign(Plan("scaled", KILLS, seed=3, minutes=5, under_way=8), tmp_path))
