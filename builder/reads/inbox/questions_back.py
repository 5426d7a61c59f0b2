"""What reviewers asked back about items of the inbox, and what was said to it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from builder.models import AskedBack, Interrupt
from builder.models.prepared import Prepared, each_of
from builder.reads import event_log as log

ASKED_BACK: Final = Prepared(
    lambda keys: AskedBack.objects.filter(interrupt__in=each_of(keys)).order_by("asked_seq")
)


@dataclass(frozen=True, slots=True)
class QuestionBack:
    """One question to the starter or an author, its reply, and who ended it: nobody where it lapsed."""

    row: AskedBack
    question: str
    reply: str | None
    ended_by: str | None

    @property
    def waits(self) -> bool:
        """Whether nobody has replied yet, and the clock stands still."""
        return not self.row.outcome


def questions_of(rows: Sequence[Interrupt]) -> dict[str, list[QuestionBack]]:
    """Return by item what was asked back about it, the oldest first; in two queries at most."""
    runs = {row.pk: row.run for row in rows if row.kind == "approval"}
    asked = ASKED_BACK.all(json.dumps(list(runs))) if runs else []
    seqs = [
        (runs[one.interrupt_id], seq) for one in asked for seq in (one.asked_seq, one.ended_seq)
    ]
    said = log.data_at(seqs)
    found: dict[str, list[QuestionBack]] = defaultdict(list)
    for one in asked:
        run = runs[one.interrupt_id]
        ended: Mapping[str, str] = said.get((run, one.ended_seq or 0), {})
        question = said.get((run, one.asked_seq), {}).get("question", "")
        said_back = QuestionBack(one, question, ended.get("reply"), ended.get("by"))
        found[one.interrupt_id].append(said_back)
    return dict(found)
