"""What a database's error means where Django asked: no room, or nobody there."""

from __future__ import annotations

import logging
import sqlite3

from django.db import InterfaceError, OperationalError

from engine.core.errors import StoreError
from engine.runtime.stores.sql import trouble


def trouble_of(error: BaseException | None) -> StoreError | None:
    """Return `StorageFull` or `StoreUnavailable` for an error of that meaning, None for others."""
    return trouble.trouble_of(error, _is_away)


def tell(log: logging.Logger, what: str, error: Exception) -> None:
    """Log that a round failed: in one line where the database is in trouble, else with where it was."""
    found = trouble_of(error)
    if found is None:
        log.error(what, exc_info=error)
    else:
        log.error("%s: %s", what, found)


def _is_away(error: BaseException) -> bool:
    """Return whether Django's own error means it: SQLite's is told by its code."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    return not isinstance(error.__cause__, sqlite3.Error)
