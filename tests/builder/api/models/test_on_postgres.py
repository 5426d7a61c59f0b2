"""Providers, prices, spend, prepared lists and those of the inbox on the other database: the same tests.

They run over the tables of PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from builder.adapters.run_store.database import postgres_dialect
from tests.builder.api.dashboards.test_spend_api import (
    test_days_and_workflow_can_be_chosen,
    test_spend_is_summed_by_everything,
)
from tests.builder.api.inbox.test_usual_lists import (
    asked,
    test_each_is_what_the_long_way_reads,
    test_what_is_on_top_goes_the_long_way,
)
from tests.builder.api.models.test_prices_api import (
    test_a_line_of_the_same_day_is_replaced,
    test_a_price_holds_from_its_day_and_the_one_before_after_it_is_gone,
    test_use_says_what_a_provider_cost_and_who_uses_it,
)
from tests.builder.api.models.test_provider_api import (
    test_a_provider_is_used_by_a_workflow_that_is_only_drafted,
    test_name_is_given_once,
    test_provider_in_use_is_removed_only_on_purpose,
)
from tests.builder.databases import Database
from tests.builder.models.test_prepared import (
    test_lists_numbers_and_counts_are_those_of_the_orm,
    test_rows_of_one_related_row_share_it,
)

__all__ = [
    "asked",
    "test_a_line_of_the_same_day_is_replaced",
    "test_a_price_holds_from_its_day_and_the_one_before_after_it_is_gone",
    "test_a_provider_is_used_by_a_workflow_that_is_only_drafted",
    "test_days_and_workflow_can_be_chosen",
    "test_each_is_what_the_long_way_reads",
    "test_lists_numbers_and_counts_are_those_of_the_orm",
    "test_name_is_given_once",
    "test_provider_in_use_is_removed_only_on_purpose",
    "test_rows_of_one_related_row_share_it",
    "test_spend_is_summed_by_everything",
    "test_use_says_what_a_provider_cost_and_who_uses_it",
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
