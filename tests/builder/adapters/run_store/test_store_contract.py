"""The store on the project's tables, of either database, keeps the contracts of every store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from builder.adapters.run_store.database import DatabaseRunStore
from engine.runtime.system import SystemClock
from tests.builder.databases import HOME, Database
from tests.engine.buffer_contract import BufferContract
from tests.engine.mailbox_contract import MailboxContract
from tests.engine.owner_contract import OwnerContract
from tests.engine.sql_bench import SqlProcesses
from tests.engine.store_contract import GRAPHS, StoreContract


class OnTables:
    """`open` gives stores over one migrated database."""

    processes: SqlProcesses

    database: Database

    @pytest.fixture(autouse=True)
    def _database(self, database: Database) -> Iterator[None]:
        self.database = database
        self.processes = SqlProcesses(
            lambda: DatabaseRunStore(database.dialect, SystemClock(), GRAPHS, home=HOME)
        )
        yield
        self.processes.close()

    def open(self) -> DatabaseRunStore:
        store = self.processes.open()
        assert isinstance(store, DatabaseRunStore)
        return store


class TestStore(OnTables, StoreContract):
    """What every store does."""


class TestBuffer(OnTables, BufferContract):
    """What every store does with money that is lost."""


class TestOwner(OnTables, OwnerContract):
    """One run, one owner."""

    def execute(self, sql: str, parameters: Sequence[Any]) -> None:
        self.database.change(sql, parameters)


class TestMailbox(OnTables, MailboxContract):
    """What is asked of a run is answered once."""

    def execute(self, sql: str, parameters: Sequence[Any]) -> None:
        self.database.change(sql, parameters)
