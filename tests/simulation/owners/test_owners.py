"""Seeded schedules of two workers over one database. `SIM_OWNERS` says how many."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.simulation.owners.schedule import play_owners

SCHEDULES = int(os.environ.get("SIM_OWNERS", "60"))
LONG = int(os.environ.get("SIM_OWNERS_LONG", "3000"))
PARTS = 5
AT_A_TIME = 25
"""Schedules of a long test: it ends long before one that lasts too long is given up."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def _play_all(seeds: Iterable[int], template: Path, folder: Path) -> int:
    boots = 0
    for seed in seeds:
        path = folder / f"{seed}.sqlite3"
        shutil.copy(template, path)
        boots += play_owners(seed, path).boots
        path.unlink()
    return boots


@pytest.mark.parametrize("part", range(PARTS))
def test_no_schedule_of_two_owners_breaks_a_promise(
    part: int, sqlite_template: Path, tmp_path: Path
) -> None:
    """I1 to I12 where workers freeze, die, go deaf, are told to end, and are robbed of their runs."""
    seeds = range(part * SCHEDULES // PARTS, (part + 1) * SCHEDULES // PARTS)

    boots = _play_all(seeds, sqlite_template, tmp_path)

    assert boots > 3 * SCHEDULES // PARTS, "some began again"


@pytest.mark.long
@pytest.mark.parametrize("first", range(SCHEDULES, LONG, AT_A_TIME))
def test_no_long_schedule_of_two_owners_breaks_a_promise(
    first: int, sqlite_template: Path, tmp_path: Path
) -> None:
    _play_all(range(first, min(first + AT_A_TIME, LONG)), sqlite_template, tmp_path)
