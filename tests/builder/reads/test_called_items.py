"""What the audit log and the admin call an item: what it asks, else its step as it is drawn."""

from __future__ import annotations

import pytest

from builder.admin.called import item_names
from builder.models import GraphVersion, InterruptCard, Run
from builder.reads.audited.items import called_items
from builder.reads.audited.names import names_of
from tests.builder.conftest import People
from tests.builder.fakes import open_interrupt

pytestmark = pytest.mark.django_db


def drawn_as(run: Run, **label: str) -> None:
    """Make the step `review` the only one in the version that the run runs, by this name or none."""
    version = GraphVersion.objects.get(pk=run.version_id)
    nodes = [{"id": "review", "type": "approval", **label}]
    version.document = {**version.document, "nodes": nodes}
    version.save(update_fields=["document"])


def test_an_item_is_called_as_it_asks(people: People, run: Run) -> None:
    here = people.alice.workspace.pk
    item = open_interrupt(run)
    titled = {"title": "Pay\n48.5 EUR?", "amount": 48.5}
    InterruptCard.objects.update_or_create(interrupt=item, defaults=titled)

    assert called_items([item.pk], here) == {item.pk: "Pay 48.50 EUR?"}
    assert called_items([item.pk]) == {item.pk: "Pay 48.50 EUR?"}
    assert called_items([item.pk], "elsewhere") == {}


@pytest.mark.parametrize("title", ["", "review"])
def test_an_item_that_asks_nothing_is_called_as_its_step(
    people: People, run: Run, title: str
) -> None:
    here = people.alice.workspace.pk
    item = open_interrupt(run, prompt="")
    InterruptCard.objects.update_or_create(interrupt=item, defaults={"title": title})
    drawn_as(run, label="Look at the letter")

    assert names_of([item.pk], here)[item.pk] == "Look at the letter"
    assert item_names([item]) == {item.pk: "Look at the letter"}


def test_a_step_without_a_name_is_called_by_its_id(people: People, run: Run) -> None:
    item = open_interrupt(run, prompt="")
    InterruptCard.objects.filter(interrupt=item).delete()
    drawn_as(run)

    assert called_items([item.pk], people.alice.workspace.pk) == {item.pk: "review"}
