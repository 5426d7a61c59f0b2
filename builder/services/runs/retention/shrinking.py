"""The database file gives back what deleted rows leave: SQLite in steps; PostgreSQL does it itself."""

from __future__ import annotations

from typing import Final

from django.db import connection

INCREMENTAL: Final = 2
"""What `auto_vacuum` is in files that can shrink a step at a time."""
PAGES: Final = 500
"""Pages a step: writers wait for 2 MB to be moved, not for the file."""
SPARE: Final = 256
"""Free pages that stay for what is written next."""
STEPS: Final = 2_000


def pragma(name: str) -> int:
    """Return a number that SQLite tells of its file."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {name}")
        return int(cursor.fetchone()[0])


def shrink() -> int:
    """Give free pages back to the disk, some at a time; return how many bytes those are."""
    if connection.vendor != "sqlite" or pragma("auto_vacuum") != INCREMENTAL:
        return 0
    before = pragma("page_count")
    with connection.cursor() as cursor:
        for _ in range(STEPS):
            if pragma("freelist_count") <= SPARE:
                break
            cursor.execute(f"PRAGMA incremental_vacuum({PAGES})").fetchall()
        if before != pragma("page_count"):
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    return (before - pragma("page_count")) * pragma("page_size")


def can_shrink() -> bool:
    """Return whether the file was made to shrink in steps; a server's database needs no such step."""
    return connection.vendor != "sqlite" or pragma("auto_vacuum") == INCREMENTAL


def rebuild() -> tuple[int, int]:
    """Write an SQLite file anew so that it can shrink in steps; return its bytes before and after.

    Nobody else may have it open, and the disk must hold it twice meanwhile.
    """
    size = pragma("page_size")
    before = pragma("page_count") * size
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA auto_vacuum={INCREMENTAL}")
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return before, pragma("page_count") * size
