"""The lists that are asked for again and again on the other database: the same tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from builder.adapters.run_store.database import postgres_dialect
from tests.builder.api.inbox.test_usual_lists import (
    asked,
    test_each_is_what_the_long_way_reads,
    test_what_is_on_top_goes_the_long_way,
)
from tests.builder.databases import Database

__all__ = [
    "asked",
    "test_each_is_what_the_long_way_reads",
    "test_what_is_on_top_goes_the_long_way",
]
pytestmark = pytest.mark.postgres


@pytest.fixture
def db(migrated_url: str, django_db_blocker: Any) -> Iterator[None]:
    """Rows are in a PostgreSQL of the test's own, and what is committed stays."""
    there = Database(postgres_dialect(migrated_url), url=migrated_url)
    with django_db_blocker.unblock(), there.served():
        assert connection.vendor == "postgresql"
        yield
