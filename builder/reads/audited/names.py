"""What the ids in audit entries are called: people, workflows, runs, items and others, as they are named now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from django.db.models import QuerySet

from builder.models import ApiToken, Graph, Run, Trigger, User, Workspace
from builder.reads.audited.items import called_items
from builder.reads.audited.things import line, things
from builder.reads.runs.titles import titles_of

ID_LENGTHS: Final = range(32, 65)
"""Of uuids and request ids; what is shorter or longer is looked up nowhere."""
PERSON: Final = "user:"
"""Stands before the id of a person among those who are asked or told."""
DEPTH: Final = 4
"""So deep stands who may decide: in a list of a policy, which is one of the particulars."""
GRAPH: Final = "graph:"
"""Stands before the name that a workflow has in addresses: that may be any word."""


def ids_in(action: Mapping[str, Any]) -> Iterator[str]:
    """Yield what may be an id in an entry: who, of what, and short texts of its particulars."""
    for value in (action.get("actor"), action.get("target"), *_texts(action.get("detail"), DEPTH)):
        if isinstance(value, str) and (len(value) in ID_LENGTHS or value.startswith("human-")):
            yield value.removeprefix(PERSON)
    detail = action.get("detail")
    if isinstance(detail, Mapping) and isinstance(slug := detail.get("graph"), str):
        yield f"{GRAPH}{slug}"


def _texts(said: Any, depth: int) -> Iterator[Any]:
    """Yield the values of particulars, of mappings and lists among them theirs."""
    if isinstance(said, Mapping):
        said = list(said.values())
    if not isinstance(said, list):
        yield said
    elif depth > 0:
        for value in said:
            yield from _texts(value, depth - 1)


def names_of(ids: Iterable[str], workspace_id: str) -> dict[str, str]:
    """Return id → name; an unknown id is left out.

    Seventeen queries at most, and those of `labels_of` where an item asks nothing of its own.

    People are found anywhere, as who left is still who did it; all else in the workspace alone.
    """
    wanted = set(ids)
    if not wanted:
        return {}
    people = User.objects.filter(pk__in=wanted)
    found = {user.pk: str(user) for user in people}
    for model in (Graph, ApiToken, Trigger):
        rows: Any = model._default_manager.filter(workspace=workspace_id, pk__in=wanted)
        found |= dict(rows.values_list("pk", "name"))
    runs = Run.objects.filter(workspace=workspace_id, pk__in=wanted)
    found |= called_runs(runs)
    if workspace_id in wanted:
        found |= dict(Workspace.objects.filter(pk=workspace_id).values_list("pk", "name"))
    slugs = [one.removeprefix(GRAPH) for one in wanted if one.startswith(GRAPH)]
    named = Graph.objects.filter(workspace=workspace_id, slug__in=slugs)
    found |= {f"{GRAPH}{slug}": name for slug, name in named.values_list("slug", "name")}
    return found | called_items(wanted, workspace_id) | dict(things(wanted, workspace_id))


def called_runs(runs: QuerySet[Run] | Sequence[Run]) -> dict[str, str]:
    """Return what runs are called, by id: their workflow and their title, in three queries at most."""
    if isinstance(runs, QuerySet):
        runs = list(runs.select_related("graph").defer("graph__header"))
    titles = titles_of(runs)
    return {
        run.pk: f"{run.graph.name if run.graph else run.graph_slug}: "
        f"{line(titles[run.pk]) or run.pk[-8:]}"
        for run in runs
    }
