"""What a new graph may start from: documents beside this module."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from builder.errors import NotFound
from engine.graph import parse_document

FOLDER = Path(__file__).parent


@lru_cache(maxsize=1)
def templates() -> list[dict[str, Any]]:
    """Return `{id, name, description, node_types}` of each template, by file name."""
    return [_described(path) for path in sorted(FOLDER.glob("*.yaml"))]


def template_document(name: str) -> str:
    """Return the text of a template. Raises `NotFound`."""
    known = {path.stem: path for path in FOLDER.glob("*.yaml")}
    if name not in known:
        raise NotFound("no such template", code="TemplateNotFound")
    return known[name].read_text()


def _described(path: Path) -> dict[str, Any]:
    spec, problems = parse_document(path.read_text())
    if spec is None:
        raise ValueError(f"{path.name}: {problems[0]}")
    kinds = dict.fromkeys(node.type for node in spec.nodes)
    return {
        "id": path.stem,
        "name": spec.name,
        "description": spec.description,
        "node_types": list(kinds),
    }
