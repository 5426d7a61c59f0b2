"""Folders of workflows: a path of names on each, so that an empty folder is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from django.db import transaction

from builder.base.errors import InvalidInput, NotFound
from builder.models import Graph, Membership
from builder.models.querysets import GraphQuerySet
from builder.services.permissions import Right, require

DEEPEST: Final = 3
LONGEST: Final = 40
MOST_MOVED: Final = 200
"""Workflows that one request moves by their ids."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, and how many workflows lie in it or below it."""

    path: str
    workflows: int


def path_of(text: str, *, field: str = "folder") -> str:
    """Return a path as it is kept: names without needless blanks, `/` between; empty for none.

    Raises `InvalidInput` for names that are empty or too long, and for more than three of them.
    """
    if not text.strip():
        return ""
    names = [" ".join(name.split()) for name in text.split("/")]
    if len(names) > DEEPEST:
        raise InvalidInput(f"at most {DEEPEST} folders in one another", path=field)
    if any(not 0 < len(name) <= LONGEST for name in names):
        raise InvalidInput(f"a folder's name has 1 to {LONGEST} characters", path=field)
    return "/".join(names)


def folders_of(rows: GraphQuerySet) -> list[Folder]:
    """Return the folders of these workflows by path, each with what lies below it."""
    counted: Counter[str] = Counter()
    for path in rows.exclude(folder="").order_by().values_list("folder", flat=True):
        counted.update(accumulate(path.split("/"), "{}/{}".format))
    by_names = sorted(counted.items(), key=lambda one: one[0].casefold().split("/"))
    return [Folder(path, count) for path, count in by_names]


def move(member: Membership, graphs: Sequence[str], folder: str) -> int:
    """Put workflows into a folder, or into none; return how many there are.

    All or nothing: raises `NotFound` `GraphNotFound` where one of them is not there.
    """
    require(member, Right.EDIT)
    path, wanted = path_of(folder), set(graphs)
    with transaction.atomic():
        rows = Graph.objects.active().filter(workspace=member.workspace_id, pk__in=wanted)
        if rows.select_for_update().count() != len(wanted):
            raise NotFound("one of these workflows is gone", code="GraphNotFound")
        return rows.update(folder=path)


def rename(member: Membership, old: str, new: str) -> int:
    """Give a folder another path, with all that lies in it; return how many workflows moved.

    Into one that is there they are put together. An empty path takes them up: what lay in it then
    lies in no folder. Raises `NotFound` `FolderNotFound`.
    """
    require(member, Right.EDIT)
    source, target = path_of(old, field="from"), path_of(new, field="to")
    with transaction.atomic():
        mine = Graph.objects.active().filter(workspace=member.workspace_id)
        rows = list(mine.within(source).select_for_update().only("pk", "folder"))
        if not source or not rows:
            raise NotFound("there is no such folder", code="FolderNotFound")
        for row in rows:
            rest = row.folder.removeprefix(source).removeprefix("/")
            row.folder = path_of("/".join(part for part in (target, rest) if part), field="to")
        Graph.objects.bulk_update(rows, ["folder"], batch_size=500)
    return len(rows)
