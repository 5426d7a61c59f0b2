"""Documents as people give them, checked before anything is opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from engine.check import check
from engine.core.errors import GraphHasErrors, RequestRefused
from engine.core.graph.document import GraphSpec, parse_document
from engine.core.graph.problems import Problem, has_errors
from engine.local.installed import Installed, tools_of, world_of
from engine.scripted.script import Script

Document: TypeAlias = GraphSpec | str | bytes | Mapping[str, Any]
"""A graph: YAML or JSON text, what such text stands for, or the document that was read from it."""


def several(graphs: Document | Iterable[Document]) -> list[Document]:
    """Return one document, or several, as a list."""
    if isinstance(graphs, GraphSpec | str | bytes | Mapping):
        return [graphs]
    return list(graphs)


def checked_form(document: Document) -> GraphSpec:
    """Return a document in its checked form. Raises `GraphHasErrors`."""
    if isinstance(document, GraphSpec):
        return document
    spec, problems = parse_document(document)
    if spec is None:
        raise GraphHasErrors(problems)
    return spec


async def refuse_errors(specs: list[GraphSpec], replies: Script | None, parts: Installed) -> None:
    """Raise `GraphHasErrors` with what is wrong with any of the documents, or `RequestRefused`."""
    others = {spec.id: spec for spec in specs}
    if len(others) < len(specs):
        twice = sorted({spec.id for spec in specs if others[spec.id] is not spec})
        raise RequestRefused("InvalidValue", f"more than one of the graphs has the id {twice[0]!r}")
    known = await tools_of(replies, parts.functions)
    found: list[Problem] = []
    for spec in specs:
        found += check(spec, world_of(spec, others, replies, parts, known))
    if has_errors(found):
        raise GraphHasErrors(found)
