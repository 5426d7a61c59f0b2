"""Dangerous steps and the approvals before them."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check import ways
from engine.check.subject import NodeSubject, Subject
from engine.check.tools import offered_to
from engine.effects import EffectClass
from engine.problems import Problem


def find(subject: Subject) -> Iterator[Problem]:
    """Yield unguarded effects and missing undos."""
    reached = ways.reach(_unapproved_ways(subject), ways.entries(subject))
    for node in subject.nodes:
        if node.id in reached and not node.spec.disabled and (what := _danger(subject, node)):
            message = (
                f"{what}, and a way from the start leads here without an approval:"
                " put an approval node before it."
            )
            yield node.problem("UnguardedEffect", "", message)
        yield from _no_undo(node)


def _unapproved_ways(subject: Subject) -> dict[str, tuple[str, ...]]:
    """Return where a run can go without an approval: not on from an approval that was given."""
    found = ways.successors(subject)
    for node in subject.nodes:
        if node.is_gate and not node.spec.disabled:
            refused = [e.target for e in subject.spec.edges_from(node.id) if e.on != "completed"]
            found[node.id] = tuple(t for t in (*refused, *node.children) if t in found)
    return found


def _danger(subject: Subject, node: NodeSubject) -> str | None:
    """Return what is unsafe about a node, None if nothing is known to be."""
    if node.type is None or node.config is None:
        return None
    called = [name for f in node.with_widget("tool") if len(f.place) == 4 for name in [f.value]]
    if called:
        unsafe = any(_is_unsafe(subject, name) for name in called)
        return f'The tool "{called[0]}" is unsafe to repeat' if unsafe else None
    if node.effect is EffectClass.UNSAFE:
        return "This step has an effect that is unsafe to repeat"
    for name in offered_to(subject, node):
        if _is_unsafe(subject, name):
            return f'The agent may call the tool "{name}", which is unsafe to repeat'
    return None


def _is_unsafe(subject: Subject, name: str) -> bool:
    return any(tool.effect_class is EffectClass.UNSAFE for tool in subject.world.tool(name))


def _no_undo(node: NodeSubject) -> Iterator[Problem]:
    if not node.spec.requires_compensation or node.config is None:
        return
    if getattr(node.config, "compensation", None) is None:
        undoable = "compensation" in type(node.config).model_fields
        cure = 'give it a "compensation"' if undoable else f'the type "{node.spec.type}" has none'
        message = f"The node requires compensation, but nothing undoes it: {cure}."
        yield node.problem("CompensationMissing", "requires_compensation", message)
