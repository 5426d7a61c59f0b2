"""Whether what a model answered may be offered: its form, and that `check` finds no new error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from builder.models import Graph
from builder.services.graphs.drafting.answers import Answer, read_answer
from builder.services.graphs.drafting.edits import Unusable
from builder.services.graphs.proofs import prove
from engine.core.graph.document import Problem

MOST_SHOWN = 100
"""Problems that are kept of a draft."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of an answer. `wrong` is what to tell the model; `document` only where it passes."""

    summary: str = ""
    document: dict[str, Any] | None = None
    wrong: tuple[str, ...] = ()
    problems: tuple[dict[str, Any], ...] = ()
    cannot: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the result of the run that asked for the draft."""
        return {
            "summary": self.summary,
            "document": self.document,
            "wrong": list(self.wrong),
            "problems": list(self.problems),
            "cannot": self.cannot,
        }


def judge(text: str, base: Mapping[str, Any], workspace_id: str) -> Verdict:
    """Return what an answer comes to in the workspace. It reads rows, and writes none."""
    try:
        answer = read_answer(text, base)
    except Unusable as unusable:
        return Verdict(wrong=(str(unusable),))
    if answer.document is None:
        return Verdict(answer.summary or "It did not say why.", cannot=True)
    return _proven(answer, _placed(answer.document, base), base, workspace_id)


def _proven(
    answer: Answer, document: dict[str, Any], base: Mapping[str, Any], workspace_id: str
) -> Verdict:
    if not document["nodes"]:
        return Verdict(wrong=("the workflow has no node",))
    graph = Graph(workspace_id=workspace_id)
    found = prove(graph, document, for_publication=False, wait=False).problems
    old = prove(graph, base, for_publication=False, wait=False).problems if base else ()
    known = {_place(problem) for problem in old}
    new = [each for each in found if each.severity == "error" and _place(each) not in known]
    if new:
        return Verdict(wrong=tuple(str(problem) for problem in new))
    return Verdict(answer.summary, document, problems=tuple(_told(found)))


def _place(problem: Problem) -> tuple[str, str | None, str | None, str]:
    return problem.code, problem.node, problem.edge, problem.message


def _told(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return what a person should see of it: no hints, and no cures, which the editor has."""
    shown = [each for each in problems if each.severity != "hint"][:MOST_SHOWN]
    return [
        {k: v for k, v in each.to_json().items() if k not in ("fix", "fixes")} for each in shown
    ]


def _placed(document: dict[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document with the places that nodes had: a model cannot see the canvas."""
    places = {node["id"]: node.get("position") for node in base.get("nodes", ())}
    nodes = []
    for node in document["nodes"]:
        place = places.get(str(node.get("id")))
        bare = {name: value for name, value in node.items() if name != "position"}
        nodes.append(bare if place is None else {**bare, "position": place})
    return {**document, "nodes": nodes}
