"""What the run view shows of a node type beyond status and output: a few kinds, declared by the type.

    class Ballot(NodeType):
        views = (VOTES,)

The front end draws kinds, never types. A kind reads what the log has anyway, or rows that node code
shows with `ctx.show(kind, row)` as they come about:

kind          reads
items         the children the node asked for: item, state, output
decisions     rows `{choice: node id | null, reason, by?: node id}`; null means that it is done
votes         rows `{voter, vote}` or `{voter, error}`, at last `{tally, winner, strategy, tie?}`
              with `tally: [{vote, weight, voters}]` and
              `tie: {between: [vote], broken_by: order | judge}`
generations   rows `{generation, temperature, best, mean, count, failed, threshold, top}` with
              `top: [{fitness, text, reasoning}]`, best first
scores        rows `{pass, temperature, score, feedback, threshold}`
verdict       the output (or the detail of the error): `{passed, reasoning, score?, threshold?,
              extracted_value?}`
facts         the calls of kind `memory`: facts stored and found
child_run     the child runs the node started

Every kind also says why the node stopped where its output has `stopped_by`. What there is no data
for is not shown. Children and child runs that no declared kind shows are shown all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

ViewKind: TypeAlias = Literal[
    "items", "decisions", "votes", "generations", "scores", "verdict", "facts", "child_run"
]
ROW_KINDS: Final = frozenset({"decisions", "votes", "generations", "scores"})
"""Kinds that are fed by `ctx.show`."""


@dataclass(frozen=True, slots=True)
class RunView:
    """One view of a node type: its kind, and the title it has on the run page."""

    kind: ViewKind
    title: str


ITEMS: Final = RunView("items", "Items")
DECISIONS: Final = RunView("decisions", "Decisions")
HANDOFFS: Final = RunView("decisions", "Hand-offs")
VOTES: Final = RunView("votes", "Votes")
GENERATIONS: Final = RunView("generations", "Generations")
SCORES: Final = RunView("scores", "Passes")
VERDICT: Final = RunView("verdict", "Verdict")
FACTS: Final = RunView("facts", "Facts")
CHILD_RUN: Final = RunView("child_run", "Child run")
