"""Fields of an approval that nobody here may edit, or that only some may edit and nobody can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.check.subject import NodeSubject, Subject
from engine.core.graph.problems import Problem, json_path
from engine.core.people.eligibility import has_role, names
from engine.core.state.requests import Actor

PLACE = ("config", "editable_by")


def find(subject: Subject) -> Iterator[Problem]:
    """Yield what `editable_by` says of keys that are not editable, and of people who are not there."""
    people = subject.world.people()
    for node in subject.nodes:
        narrowed = getattr(node.config, "editable_by", None) or {}
        if node.is_gate and not node.spec.disabled:
            yield from _unknown_keys(node, narrowed)
            yield from _nobody(node, narrowed, people)


def _unknown_keys(node: NodeSubject, narrowed: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    editable = getattr(node.config, "editable_keys", ())
    for key in narrowed:
        if "*" not in editable and key not in editable:
            message = f'"{key}" is not editable: add it to the editable keys, or say nothing of it.'
            yield node.problem("NotEditable", json_path((*PLACE, key)), message).on(key)


def _nobody(
    node: NodeSubject, narrowed: Mapping[str, Sequence[str]], people: Sequence[Actor] | None
) -> Iterator[Problem]:
    if people is None:
        return
    for key, entries in narrowed.items():
        for index, entry in enumerate(entries):
            if not any(names(entry, one) and has_role(one) for one in people):
                message = (
                    f"Nobody who decides here is {_called(entry)}, so they cannot edit"
                    f' "{key}": choose somebody else, or remove it.'
                )
                path = json_path((*PLACE, key, index))
                yield node.problem("NobodyMayEdit", path, message).on(key)


def _called(entry: str) -> str:
    kind, _, name = entry.partition(":")
    return f'in the group "{name}"' if kind == "group" else f'{kind} "{name}"'
