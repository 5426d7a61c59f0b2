"""Dangerous steps without a guard, and missing undos."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.check.rules.dangers import Danger
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.problems import Problem


def find(subject: Subject, dangers: Sequence[Danger]) -> Iterator[Problem]:
    """Yield unguarded effects and missing undos."""
    strict = subject.world.approvals_required()
    for danger in dangers:
        if danger.way is not None and (strict or danger.kind != "keyed"):
            yield _unguarded(subject.by_id[danger.node], danger, strict)
    for node in subject.nodes:
        yield from _no_undo(node)


def _unguarded(node: NodeSubject, danger: Danger, strict: bool) -> Problem:
    message = (
        f"{danger.why}, and a way from the start leads here without an approval or a verifier:"
        " put one before it."
    )
    found = node.problem("UnguardedEffect", "", message)
    return replace(found, severity="error") if strict else found


def _no_undo(node: NodeSubject) -> Iterator[Problem]:
    if not node.spec.requires_compensation or node.config is None:
        return
    if getattr(node.config, "compensation", None) is None:
        undoable = "compensation" in type(node.config).model_fields
        cure = 'give it a "compensation"' if undoable else f'the type "{node.spec.type}" has none'
        message = f"The node requires compensation, but nothing undoes it: {cure}."
        say = f"{node.label} is to be undone when a run fails later, and nothing says how."
        problem = node.problem("CompensationMissing", "requires_compensation", message)
        yield problem.mended(say)
