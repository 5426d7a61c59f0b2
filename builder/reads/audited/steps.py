"""What the steps that audit entries name by their ids are called in the versions that their runs ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from builder.models import Run
from builder.reads.audited.things import line
from builder.reads.inbox.drawn import drawings_of

STEP: Final = "node:"
"""Stands before the name that a step has in its workflow: that may be any word."""
PARTICULARS: Final = ("node", "until", "only", "breakpoints", "pins")
"""Particulars of runs and of their items that name steps; elsewhere `until` is a moment."""

Steps = Mapping[tuple[str, str], str]
"""Names of steps by run and id."""


def steps_of(actions: Iterable[Mapping[str, Any]], workspace_id: str) -> Steps:
    """Return what the steps that entries name are called, in two queries; those without a name left out."""
    wanted = {pair for action in actions for pair in _mentioned(action)}
    if not wanted:
        return {}
    runs = Run.objects.filter(workspace=workspace_id, pk__in={run for run, _node in wanted})
    versions = {run.pk: run for run in runs.only("pk", "version_id")}
    drawings = drawings_of(versions.values())
    found: dict[tuple[str, str], str] = {}
    for run, node in wanted:
        version = versions[run].version_id if run in versions else None
        drawing = drawings.get(version) if version else None
        if drawing is not None and (label := drawing.label(node)) not in (None, node):
            found[run, node] = line(str(label))
    return found


def steps_in(action: Mapping[str, Any], steps: Steps) -> dict[str, str]:
    """Return the names of the steps in one entry, by `STEP` and their ids."""
    said = ((node, steps.get((run, node))) for run, node in _mentioned(action))
    return {f"{STEP}{node}": name for node, name in said if name is not None}


def _mentioned(action: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield run and id of each step that an entry names."""
    detail = action.get("detail")
    if not isinstance(detail, Mapping):
        return
    run = detail.get("run")
    if run is None and str(action.get("action")).startswith("run."):
        run = action.get("target")
    if not isinstance(run, str):
        return
    for name in PARTICULARS:
        value = detail.get(name)
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, str) and node:
                yield run, node
