"""The forms of frames from clients."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

ShortText = Annotated[str, Field(min_length=1, max_length=128)]


class _Frame(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Subscribe(_Frame):
    """Listen to a run's log, to a list, to a draft, or to who has an item open."""

    op: Literal["sub"]
    run: ShortText | None = None
    after: Annotated[int, Field(ge=0, lt=2**53)] = 0
    topic: Literal["inbox", "mentions", "runs"] | None = None
    graph: ShortText | None = None
    item: ShortText | None = None
    client: Annotated[str, Field(max_length=64)] = ""
    workspace: Annotated[str, Field(max_length=64)] = ""

    @property
    def target(self) -> tuple[str, str] | None:
        """What is listened to: kind and name, None unless exactly one is given."""
        return _only(run=self.run, topic=self.topic, graph=self.graph, item=self.item)


class Unsubscribe(_Frame):
    """Stop to listen."""

    op: Literal["unsub"]
    run: ShortText | None = None
    topic: Literal["inbox", "mentions", "runs"] | None = None
    graph: ShortText | None = None
    item: ShortText | None = None

    @property
    def target(self) -> tuple[str, str] | None:
        """What was listened to."""
        return _only(run=self.run, topic=self.topic, graph=self.graph, item=self.item)


class Select(_Frame):
    """What is selected in a draft, or what one does at an item."""

    op: Literal["presence"]
    graph: ShortText | None = None
    item: ShortText | None = None
    selection: Annotated[list[ShortText], Field(max_length=500)] = []

    @property
    def target(self) -> tuple[str, str] | None:
        """Where: kind and name, None unless exactly one is given."""
        return _only(graph=self.graph, item=self.item)


class Ping(_Frame):
    """Is anybody there?"""

    op: Literal["ping"]


Inbound = Subscribe | Unsubscribe | Select | Ping


def _only(**named: str | None) -> tuple[str, str] | None:
    given = [(kind, name) for kind, name in named.items() if name is not None]
    return given[0] if len(given) == 1 else None
