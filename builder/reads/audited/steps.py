"""What the steps that audit entries name by their ids are called in the versions that their runs ran."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from builder.models import Run
from builder.reads.audited.things import line
from builder.reads.inbox.drawn import Drawing, drawings_of

STEP: Final = "node:"
"""Stands before the name that a step has in its workflow: that may be any word."""
PARTICULARS: Final = ("node", "until", "only", "breakpoints", "pins")
"""Particulars of runs and of their items that name steps; elsewhere `until` is a moment."""

DRAWN_AT_ONCE: Final = 20
"""So many drawings are in memory together: each may be large, and only its names are kept."""

Steps = Mapping[tuple[str, str], str]
"""Names of steps by run and id."""


def steps_of(actions: Iterable[Mapping[str, Any]], workspace_id: str) -> Steps:
    """Return what the steps that entries name are called, as `labels_of` does."""
    return labels_of((step for action in actions for step in _mentioned(action)), workspace_id)


def labels_of(steps: Iterable[tuple[str, str]], workspace_id: str | None) -> Steps:
    """Return what steps are called, by their run and id; those without a name are left out.

    One query for the runs, and one for each `DRAWN_AT_ONCE` versions that they ran. Without a workspace the
    runs of all.
    """
    wanted: dict[str, set[str]] = defaultdict(set)
    for run_id, node in steps:
        wanted[run_id].add(node)
    if not wanted:
        return {}
    runs = Run.objects.filter(pk__in=wanted).only("pk", "version_id")
    if workspace_id is not None:
        runs = runs.filter(workspace=workspace_id)
    of_version: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        of_version[run.version_id or ""].append(run)
    versions = sorted(of_version)
    found: dict[tuple[str, str], str] = {}
    for first in range(0, len(versions), DRAWN_AT_ONCE):
        part = versions[first : first + DRAWN_AT_ONCE]
        drawings = drawings_of(of_version[version][0] for version in part)
        for version in part:
            if drawing := drawings.get(version):
                found |= _labels(drawing, of_version[version], wanted)
    return found


def _labels(
    drawing: Drawing, runs: Iterable[Run], wanted: Mapping[str, set[str]]
) -> dict[tuple[str, str], str]:
    said = ((run.pk, node, drawing.label(node)) for run in runs for node in wanted[run.pk])
    return {(run, node): line(label) for run, node, label in said if label and label != node}


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
