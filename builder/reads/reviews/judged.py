"""Every decision that somebody made of an approval that is closed, and what can be told of it.

One query stands behind the figures and behind the rows that they open, so that they agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db import connection
from django.db.models.expressions import RawSQL

from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

QUICK_MS: Final = 3_000
"""Who approves sooner has read about twelve words (people read four a second): less than a title."""
FLAGS: Final = ("decided", "approved", "seen", "quick", "unopened", "edited", "back", "overturned")
"""What a decision may be counted as."""
EVER: Final = 2**62

_CLOSED: Final = (
    "i.workspace_id = %s AND i.kind = 'approval' AND i.status = 'answered' "
    "AND i.decided_at >= %s AND i.decided_at < %s"
)
_OVERTURNED: Final = (
    "CASE WHEN s.said <> s.outcome THEN 1 "  # noqa: S608  (constants)
    "WHEN s.said <> 'approved' OR r.ended_at < s.at THEN 0 "
    "WHEN r.status = 'cancelled' THEN 1 "
    "WHEN r.status IN ('failed', 'timeout') AND EXISTS (SELECT 1 FROM builder_runevent e "
    f"WHERE e.place > r.number * {EVENTS_PER_RUN} AND e.place < (r.number + 1) * {EVENTS_PER_RUN} "
    "AND e.type = 'CompensationStarted' AND e.at >= s.at) THEN 1 ELSE 0 END"
)
# Joined by text, `user_id` offers no index: each person has many held decisions, each item few.
_JUDGED: Final = (
    "WITH said AS ("  # noqa: S608  (constants)
    "SELECT i.request_id AS id, i.decided_by AS who, i.outcome AS said, i.outcome AS outcome, "
    "i.decided_at AS at, i.opened_at, i.run, i.node, "
    "CASE WHEN i.edited_seq IS NULL THEN 0 ELSE 1 END AS changed FROM builder_interrupt i "
    f"WHERE {_CLOSED} AND i.decided_by IS NOT NULL AND NOT EXISTS "
    "(SELECT 1 FROM builder_decision d WHERE d.interrupt_id = i.request_id) "
    "UNION ALL SELECT i.request_id, d.decided_by, d.decision, i.outcome, d.decided_at, "
    "i.opened_at, i.run, i.node, -1 FROM builder_decision d "
    f"JOIN builder_interrupt i ON i.request_id = d.interrupt_id WHERE {_CLOSED}), "
    "judged AS (SELECT s.id, s.who, s.node, r.graph_id AS graph, s.at - s.opened_at AS took, "
    "l.ms, 1 AS decided, "
    "CASE WHEN s.said = 'approved' THEN 1 ELSE 0 END AS approved, "
    "CASE WHEN s.said = 'approved' AND l.ms IS NOT NULL THEN 1 ELSE 0 END AS seen, "
    f"CASE WHEN s.said = 'approved' AND l.ms < {QUICK_MS} THEN 1 ELSE 0 END AS quick, "
    "CASE WHEN s.said = 'approved' AND NOT l.opened THEN 1 ELSE 0 END AS unopened, "
    "CASE WHEN s.said = 'approved' AND (s.changed = 1 OR (s.changed = -1 AND l.edited)) "
    "THEN 1 ELSE 0 END AS edited, "
    "CASE WHEN EXISTS (SELECT 1 FROM builder_helddecision h WHERE h.interrupt_id = s.id "
    "AND h.user_id || '' = s.who AND h.state = 'withdrawn') THEN 1 ELSE 0 END AS back, "
    f"{_OVERTURNED} AS overturned FROM said s JOIN builder_run r ON r.id = s.run "
    "LEFT JOIN builder_look l ON l.interrupt_id = s.id AND l.user_id = s.who)"
)


@dataclass(frozen=True, slots=True)
class Among:
    """Which decisions: of a workspace, of approvals closed between two moments (ms), of one person.

    `who` empty means everybody, `graph` empty every workflow.
    """

    workspace_id: str
    since: int = 0
    until: int = EVER
    who: str = ""
    graph: str = ""

    @property
    def params(self) -> list[Any]:
        """What stands in the query, in its order."""
        closed = [self.workspace_id, self.since, self.until]
        return [*closed, *closed, *(one for one in (self.who, self.graph) if one)]

    @property
    def where(self) -> str:
        """The condition on what was judged."""
        who, graph = (
            (" AND who = %s" if self.who else ""),
            (" AND graph = %s" if self.graph else ""),
        )
        return f"1 = 1{who}{graph}"


def items_with(among: Among, flag: str) -> RawSQL:
    """Return the ids of the items that a figure counts; `flag` is one of `FLAGS`."""
    column = FLAGS[FLAGS.index(flag)]
    sql = f"{_JUDGED} SELECT id FROM judged WHERE {among.where} AND {column} = 1"  # noqa: S608
    return RawSQL(sql, among.params)  # noqa: S611  (constants)


def told(among: Among) -> list[tuple[str, str, str, int, int | None, int]]:
    """Return of each decision: who, graph, node, time to decide, time on screen (ms), and its flags.

    The flags are bits in the order of `FLAGS`.
    """
    bits = " + ".join(f"{1 << place} * {flag}" for place, flag in enumerate(FLAGS))
    sql = f"{_JUDGED} SELECT who, graph, node, took, ms, {bits} FROM judged WHERE {among.where}"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(sql, among.params)
        return list(cursor.fetchall())
