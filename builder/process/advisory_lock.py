"""One server at a time on one PostgreSQL: a lock of the database's own, which ends with the server.

The lock of the folder cannot see a server on another machine, or with another folder, that runs
the same steps from the same database.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from builder.process.process_lock import AlreadyServed

KEY: Final = 0x6772_6170_6877
"""Any number that nobody else uses in the same database."""
HOUSE_KEY: Final = KEY + 1
"""Held by the process that does what one does for all."""
MIGRATION_KEY: Final = KEY + 2
"""Held by the process that changes the tables."""
ALONE: Final = "SELECT pg_try_advisory_lock(%s)"
AMONG_OTHERS: Final = "SELECT pg_try_advisory_lock_shared(%s)"
LOOK_AGAIN_S: Final = 5.0
HOLDER: Final = (
    "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.classid = %s AND l.objid = %s "
    "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
log = logging.getLogger("graphwright.engine")


@contextmanager
def sole_server(
    connect: Callable[[], Any], on_loss: Callable[[AlreadyServed], None], how: str = ALONE
) -> Iterator[None]:
    """Hold the database for this process, or for those that share it where `how` says so.

    `connect` opens a connection in autocommit mode. The lock is taken again when the database was
    restarted; if another server was quicker, `on_loss` is called in a thread of its own, and must
    end this one. Raises `AlreadyServed`.
    """
    connection = _locked(connect, how)
    ended = threading.Event()
    keeper = threading.Thread(
        target=_keep,
        args=(connection, connect, ended, on_loss, how),
        name="sole-server",
        daemon=True,
    )
    keeper.start()
    try:
        yield
    finally:
        ended.set()
        keeper.join()


def _keep(
    connection: Any,
    connect: Callable[[], Any],
    ended: threading.Event,
    on_loss: Callable[[AlreadyServed], None],
    how: str,
) -> None:
    while not ended.wait(LOOK_AGAIN_S):
        try:
            connection.execute("SELECT 1")
        except Exception:  # noqa: BLE001  (whatever it was, the lock is gone with its connection)
            connection.close()
            try:
                connection = _locked(connect, how)
            except AlreadyServed as error:
                on_loss(error)
                return
            except Exception:  # noqa: BLE001  (the database is still away)
                log.warning("the database is away: whether another server took over is not known")
    with suppress(Exception):  # it goes with the connection all the same, but a moment after that
        connection.execute("SELECT pg_advisory_unlock_all()")
    connection.close()


def _locked(connect: Callable[[], Any], how: str) -> Any:
    """Return a connection that holds the lock. Raises `AlreadyServed`."""
    connection = connect()
    try:
        name = f"graphwright, process {os.getpid()} on {socket.gethostname()[:30]}"
        connection.execute("SELECT set_config('application_name', %s, false)", (name,))
        [held] = connection.execute(how, (KEY,)).fetchone()
        if held:
            return connection
        found = connection.execute(HOLDER, (KEY >> 32, KEY & 0xFFFF_FFFF)).fetchone()
        raise AlreadyServed(
            f"another server runs on this database ({found[0] if found else 'unknown'}): "
            "stop it first, or give this one a database of its own in DATABASE_URL; "
            "two would run the same steps. Several processes share one as `manage.py web` and "
            "`manage.py worker`"
        )
    except BaseException:
        connection.close()
        raise
