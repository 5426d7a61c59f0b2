"""What a driver's error means for whoever asked: no room, or nobody there. One place for all drivers."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from typing import Final

from engine.core.errors import StorageFull, StoreError, StoreUnavailable

FULL_STATES: Final = frozenset({"53100"})
"""PostgreSQL's `disk_full`."""
CUT_STATES: Final = frozenset({"25P03"})
"""PostgreSQL's `idle_in_transaction_session_timeout`, which its driver counts among its own faults."""
NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
AWAY: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
    }
)


def trouble_of(
    error: BaseException | None, is_away: Callable[[BaseException], bool] | None = None
) -> StoreError | None:
    """Return `StorageFull` or `StoreUnavailable` for an error of that meaning, None for others.

    `is_away` knows further errors that mean that nobody is there.
    """
    chain: list[BaseException] = []
    while error is not None:
        chain.append(error)
        error = error.__cause__
    for one in chain:
        if isinstance(one, StorageFull | StoreUnavailable):
            return one
    if any(map(_is_full, chain)):
        return StorageFull(str(chain[0]))
    if any(_is_away(one) or (is_away is not None and is_away(one)) for one in chain):
        return StoreUnavailable(str(chain[0]))
    return None


def refusal(error: Exception, what: str) -> StoreError:
    """Return the engine's error for a driver's; `what` says what was tried."""
    kind = type(trouble_of(error) or StoreError(""))
    return kind(f"{what}: {error}")


def _is_full(error: BaseException) -> bool:
    if isinstance(error, sqlite3.Error):
        return _primary(error) == sqlite3.SQLITE_FULL
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    return getattr(error, "sqlstate", None) in FULL_STATES


def _is_away(error: BaseException) -> bool:
    if isinstance(error, sqlite3.Error):
        return _primary(error) in AWAY
    if getattr(error, "sqlstate", None) in CUT_STATES:
        return True
    kinds = {f"{kind.__module__.split('.')[0]}.{kind.__name__}" for kind in type(error).__mro__}
    return bool(kinds & {"psycopg.OperationalError", "psycopg.InterfaceError"})


def _primary(error: sqlite3.Error) -> int:
    """Return SQLite's code without what it says in detail."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
