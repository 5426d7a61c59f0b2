"""Requests that send a body by a method that has none: what gets it refuses or ignores it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.check.fields import FieldValue
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.problems import Problem

WITHOUT: Final = frozenset({"GET", "HEAD"})
"""Methods to which a body means nothing (RFC 9110, 9.3.1 and 9.3.2)."""


def find(subject: Subject) -> Iterator[Problem]:
    """Yield bodies that nobody is asked to read."""
    for node in subject.nodes:
        for found in node.fields:
            beside = found.hint("sent-by")
            if beside is not None and found.value not in (None, ""):
                yield from _judged(node, found, str(beside))


def _judged(node: NodeSubject, found: FieldValue, beside: str) -> Iterator[Problem]:
    # below ("nodes", index, "config")
    *above, name = found.place[3:]
    around: Any = node.spec.config
    for part in above:
        around = around.get(part) if isinstance(around, Mapping) else None
    method = around.get(beside, "GET") if isinstance(around, Mapping) else None
    if method not in WITHOUT:
        return
    message = (
        f"{method} asks for something and has no {name}: who gets one refuses or ignores it."
        f" Remove the {name}, or use POST."
    )
    place = ("config", *above)
    yield node.at("BodyNotRead", found, message).mended(
        f"{node.label} sends a {name} by {method}: who gets one refuses or ignores it.",
        Cure(f"Remove the {name}", (Edit("node", node.id, (*place, name)),)),
        Cure("Use POST", (Edit("node", node.id, (*place, beside), "POST"),)),
    )
