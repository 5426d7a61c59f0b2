"""Who could decide an approval of a draft today, by the rules that decide when it is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from builder.adapters.directory import actors_in, stand_ins_now
from builder.models import Graph, Membership, StandIn
from builder.services.permissions import Right, require
from engine.core.people.supposed import Supposed, supposed

MAX_PEOPLE: Final = 500
"""So many members are looked at, the first ones first."""


@dataclass(frozen=True, slots=True)
class Deciders:
    """What the rules say of the first `looked_at` of so many `members`."""

    said: Supposed
    looked_at: int
    members: int
    away: Sequence[StandIn] = ()
    """Absences of today of those who could decide."""


def deciders_of(
    member: Membership, policy: Mapping[str, Any], *, starter: str, graph: Graph | None
) -> Deciders:
    """Return who could decide under a policy if `starter` started a run of the graph's draft.

    Who asks is taken for the publisher; without a graph nobody has edited it.
    """
    require(member, Right.VIEW)
    editors = [] if graph is None else [str(editor) for editor in graph.editors]
    started = {
        "started_by": starter,
        "people": {"publisher": [member.user_id], "editor": editors},
    }
    absences = stand_ins_now(member.workspace_id)
    everyone = actors_in(member.workspace_id, absences)
    people = everyone[:MAX_PEOPLE]
    said = supposed(policy, started, people)
    can = {one.id for one in said.can}
    away = [row for row in absences if row.absent_id in can]
    return Deciders(said, len(people), len(everyone), away)
