"""Names that lead nowhere: the one that was meant, and what is made where there is none."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Final

from engine.check.cures.places import edge_of, inside, put, there, there_at
from engine.check.rules.keys import EDITABLE
from engine.check.rules.names import circle
from engine.check.subject import Subject
from engine.check.world import Kind
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.problems import COMPARED, LONGEST, Problem
from engine.core.values.effort import spare

_KINDS: Final[dict[str, Kind]] = {
    "UnknownNodeType": "node_type",
    "UnknownHandler": "handler",
    "ToolNotFound": "tool",
    "GraphNotFound": "graph",
}
_UNKNOWN: Final = re.compile(r"\bunknown name ['\"]?([A-Za-z_]\w*)")
_TRIED: Final = 5
_OFFERED: Final = 2
DEFAULT_MODEL: Final = "local/default"


def near(name: str, known: Collection[str]) -> str | None:
    """Return the known name that is nearest, the only one there is, or None."""
    names = sorted(known)
    if not spare(COMPARED * (1 + len(names))):
        return None
    close = get_close_matches(name[:LONGEST], names, n=1, cutoff=0.6)
    return close[0] if close else names[0] if len(names) == 1 else None


def _itself(subject: Subject, problem: Problem) -> str | None:
    """Return the node of a problem; of a wire's missing end the node at the other one."""
    edge = edge_of(subject, problem)
    if edge is None:
        return problem.node
    return edge.target if inside(problem)[-1:] == ("source",) else edge.source


def use_near(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the nearest name of its kind."""
    said = there(subject, problem)
    if not isinstance(said, str) or not said:
        return
    kind = _KINDS.get(problem.code)
    known = subject.world.names(kind) if kind is not None else subject.by_id
    sign = said[0] if problem.code == "ToolNotFound" and said[0] in "+-" else ""
    own = _itself(subject, problem) if kind is None else said
    other = [name for name in known if name != own]
    meant = near(said.removeprefix(sign), other)
    if meant is not None:
        shown = subject.label(meant) if kind is None else meant
        yield Cure(f"Use {shown}", (put(subject, problem, sign + meant),))


def agent(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the nearest agent, and an agent of the workflow's own by that name."""
    said = there(subject, problem)
    if not isinstance(said, str) or not said:
        return
    meant = near(said, {*subject.spec.agents_by_id, *subject.world.names("agent")})
    if meant is not None:
        yield Cure(f"Use {meant}", (put(subject, problem, meant),))
    made = {"id": said, "model": DEFAULT_MODEL}
    yield Cure(f"Make {said} here", (Edit("graph", "", ("agents",), made, "add"),))


def other_graph(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield workflows that do not lead back here."""
    said = there(subject, problem)
    known = sorted(set(subject.world.names("graph")) - {said, subject.spec.id})
    fits = [name for name in known[:_TRIED] if circle(subject, name) is None]
    for name in fits[:_OFFERED]:
        yield Cure(f"Use {name}", (put(subject, problem, name),))


def rename_key(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield a name that is the author's in place of one of the engine's."""
    steps = inside(problem)
    if EDITABLE in steps[:-1]:
        yield from _not_edited(subject, problem)
        return
    named = steps[:1] == ("initial_memory",) or steps[:2] == ("state_schema", "properties")
    said = steps[-1] if named else there(subject, problem)
    if not isinstance(said, str):
        return
    bare = said.partition(".")[0].strip("_")
    fresh = bare if bare and said.startswith("_") else f"{bare or 'my'}_value"
    if named:
        value = there(subject, problem)
        moved = (put(subject, problem, None), put(subject, problem, value, (*steps[:-1], fresh)))
        yield Cure(f"Rename to {fresh}", moved)
    else:
        yield Cure(f"Rename to {fresh}", (put(subject, problem, fresh),))


def _not_edited(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the keys that reviewers edit without the one that they cannot."""
    *place, index = inside(problem)
    keys, said = there_at(subject, problem, tuple(place)), there(subject, problem)
    if isinstance(keys, list) and isinstance(said, str):
        left = [key for at, key in enumerate(keys) if at != index]
        yield Cure(f"Let nobody edit {said}", (put(subject, problem, left, tuple(place)),))


def use_memory(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the field that a bare name means: `memory.level` for `level`."""
    text, unknown = there(subject, problem), _UNKNOWN.search(problem.message)
    if unknown is None or not isinstance(text, str):
        return
    name = unknown[1]
    face = subject.spec.interface
    lanes = {
        "input": (face.inputs.get("properties") or {}) if face is not None else {},
        "memory": subject.written or (),
        "outputs": subject.by_id,
    }
    for lane, known in lanes.items():
        if name in known and name.isidentifier():
            after = re.sub(rf"(?<![\w.'\"]){name}(?![\w('\"])", f"{lane}.{name}", text)
            yield Cure(f"Use {lane}.{name}", (put(subject, problem, after),))
