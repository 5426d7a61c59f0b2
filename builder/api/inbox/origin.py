"""Where an item comes from: its run, the workflow, and who or what started it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from builder.api.http.wire import Named, Wire
from builder.reads.inbox.drawn import Effects
from builder.reads.inbox_items import Item
from engine.core.state.requests import Actor


class InterruptGraph(Wire):
    """Which workflow asks; `id` is null where it is gone."""

    id: str | None
    slug: str
    name: str


class InterruptRun(Wire):
    """Which run asks, what it is called in lists, and who started it."""

    id: str
    title: Annotated[str, Field(description="what it was started with, in a line; may be empty")]
    graph: InterruptGraph
    started_by: Named | str | None
    source: Annotated[str | None, Field(description="what started it: person, webhook, …")]
    trigger: Annotated[Named | None, Field(description="the trigger; without name once it is gone")]
    is_test: Annotated[bool, Field(description="whether it tries a draft")]


@dataclass(frozen=True, slots=True)
class Told:
    """What a page of items is told with: names of people and triggers, titles, what tools do."""

    names: Mapping[str, str]
    triggers: Mapping[str, str]
    titles: Mapping[str, str]
    effects: Effects
    known: dict[str, Named] = field(default_factory=dict)

    def named(self, one: Actor) -> Named:
        """Return a person by name, made once for all items that ask them."""
        found = self.known.get(one.id)
        if found is None:
            found = self.known[one.id] = Named(id=one.id, name=one.name)
        return found


def run_out(item: Item, told: Told) -> InterruptRun:
    """Return the run of an item; people and triggers by their names."""
    run = item.run
    trigger = run.trigger if run else None
    slug = run.graph_slug if run else ""
    name = run.graph.name if run and run.graph else slug
    return InterruptRun(
        id=item.row.run,
        title=told.titles.get(item.row.run, ""),
        graph=InterruptGraph(id=run.graph_id if run else None, slug=slug, name=name),
        started_by=person(run.started_by if run else None, told.names),
        source=run.source if run else None,
        trigger=None if trigger is None else Named(id=trigger, name=told.triggers.get(trigger, "")),
        is_test=item.is_test,
    )


def person(user_id: str | None, names: Mapping[str, str]) -> Named | str | None:
    """Return who somebody is: by name where they are known."""
    if user_id is None:
        return None
    return Named(id=user_id, name=names[user_id]) if user_id in names else user_id
