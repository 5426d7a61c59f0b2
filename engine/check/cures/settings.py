"""Settings that are put right: a default, a limit, a tag, who is asked."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.cures.places import edge_of, inside, node_of, put, there
from engine.check.subject import Subject
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.problems import Problem


def default(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the default in place of a value that fits nowhere."""
    node, steps = node_of(subject, problem), inside(problem)
    if edge_of(subject, problem) is not None and steps[0] in ("when", "condition", "trigger", "on"):
        yield Cure("Use the default", (put(subject, problem, None),))
    if node is None or node.type is None or len(steps) != 2 or steps[0] != "config":
        return
    fields = {info.alias or name: info for name, info in node.type.Config.model_fields.items()}
    info = fields.get(str(steps[1]))
    if info is not None and not info.is_required() and there(subject, problem) is not None:
        yield Cure("Use the default", (put(subject, problem, None),))


def raise_limit(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield a limit that the longest way keeps."""
    if problem.about:
        length = int(problem.about[0])
        yield Cure(f"Raise to {length}", (Edit("graph", "", ("limits", "max_iterations"), length),))


def tag(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield a tag that says which workflow found a fact."""
    name = f"graph:{subject.spec.id}"
    yield Cure(f"Tag with {name}", (put(subject, problem, [name]),))


def no_undo(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield that no undo is asked for; which one there could be, a person says."""
    yield Cure("Ask for no undo", (put(subject, problem, None),))


def ask_everybody(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the wider circle of those who may decide."""
    policy = ("config", "policy")
    steps = inside(problem)
    if steps[-1:] == ("four_eyes",):
        said = there(subject, problem) or []
        rest = [each for each in said if each != "starter"]
        yield Cure("Let who started it decide", (put(subject, problem, rest),))
    elif steps[-1:] == ("rule",):
        yield Cure("Ask for one person", (put(subject, problem, "any", (*policy, "rule")),))
    else:
        alone = put(subject, problem, None, (*policy, "eligible"))
        one = put(subject, problem, "any", (*policy, "rule"))
        yield Cure("Let any reviewer decide", (alone, one))
