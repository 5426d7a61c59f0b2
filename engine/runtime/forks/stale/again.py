"""A run of only what is stale: what it would do, and what its log begins with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.core.decide.begin.trials import refuse_published
from engine.core.state.events import Event
from engine.core.state.requests import ForkRun
from engine.core.state.run_state import RunState
from engine.core.values.json import FrozenDict, FrozenList, freeze
from engine.runtime.forks.plan import ForkPlan, plan
from engine.runtime.forks.points import ForkPoint, points
from engine.runtime.forks.prefix import Emission, inherited, restarted
from engine.runtime.forks.remap import tried
from engine.runtime.forks.resent import Resent
from engine.runtime.forks.stale.begun import begun_anew
from engine.runtime.forks.stale.compare import Compared, Draft, compare
from engine.runtime.forks.stale.marks import marks


@dataclass(frozen=True, slots=True)
class Stale:
    """What of a run holds for a draft: `seen` as cards tell it, `done` where approvals ask again."""

    seen: Compared
    done: Compared


def what_is_stale(old: RunState, events: Sequence[Event], draft: Draft) -> Stale:
    """Return what of a run holds for the draft. Where anything differs, approvals ask again."""
    seen = compare(old.program, events, draft, ask_again=False)
    same = draft.program.spec.hash == old.program.spec.hash and not seen.changes
    if same or not any(block.approved for block in seen.blocks.values()):
        return Stale(seen, seen)
    return Stale(seen, compare(old.program, events, draft, ask_again=True))


def seqs_kept(stale: Stale) -> frozenset[int]:
    """Return the places in the old log that a new run inherits."""
    return frozenset(event.seq for event in stale.done.kept)


def begins_at(run_id: str, events: Sequence[Event], stale: Stale) -> ForkPoint:
    """Return where the first activation began that runs again, else the end of the log."""
    begun = (point for point in points(run_id, events) if point.key in stale.done.left)
    return next(begun, ForkPoint(run_id, events[-1].seq + 1, ""))


def stale_plan(
    run_id: str,
    events: Sequence[Event],
    draft: Draft,
    stale: Stale,
    children: Sequence[Resent],
) -> ForkPlan:
    """Return what a run of only what is stale does; `children` are calls of runs below it."""
    point, done = begins_at(run_id, events, stale), stale.done
    found = plan(run_id, events, point, children, seqs_kept(stale))
    asks = [done.blocks[key].node for key, left in done.left.items() if left.why == "asks"]
    return replace(
        found,
        earliest=None,
        stale=marks(stale.seen, frozenset(draft.program.spec.nodes_by_id), draft.pins),
        asks=tuple(dict.fromkeys(asks)),
        waiting=done.waiting,
    )


def run_again(
    old: RunState, events: Sequence[Event], request: ForkRun, draft: Draft, now: int
) -> list[Emission]:
    """Return what the log of a run of only what is stale begins with.

    Raises `RequestRefused` as `compare` does, `TestOnly` for a published version with pins.
    """
    refuse_published(request.published, draft.pins, request.breakpoints)
    stale = what_is_stale(old, events, draft)
    point = begins_at(old.run_id, events, stale)
    spec = draft.program.spec
    started = begun_anew(
        restarted(old.started, request.run_id, point, request.by), old.program.spec, spec
    )
    started |= {"graph_hash": spec.hash, "people": _people(request)}
    if request.version_id is not None:
        started["version_id"] = request.version_id
    _as_tried(started, request, draft)
    whole = replace(point, seq=events[-1].seq + 1)
    prefix = inherited(stale.done.kept, whole, started, now, undos=old.status != "completed")
    tried(prefix, draft.program)
    return prefix


def _people(request: ForkRun) -> Any:
    return freeze({role: list(ids) for role, ids in request.people.items()}, "people")


def _as_tried(started: dict[str, Any], request: ForkRun, draft: Draft) -> None:
    """Let the new run have the pins and breakpoints of now, and go to its end."""
    for name in ("until", "pins", "breakpoints"):
        started.pop(name, None)
    known = draft.program.spec.nodes_by_id
    if draft.pins:
        started["pins"] = FrozenDict({n: freeze(dict(p)) for n, p in draft.pins.items()})
    stops = [node for node in request.breakpoints if node in known]
    if stops:
        started["breakpoints"] = FrozenList(stops)
