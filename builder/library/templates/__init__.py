"""What a new graph may start from: one file a template, beside this module.

A file is a card (`pattern`, `category`, `order`), `---`, the document, and after further `---`
the documents of the graphs that it runs as subgraphs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from builder.base.errors import NotFound
from builder.library.templates.needs import Need, need_of
from engine.core.graph.document import GraphSpec, parse_document
from engine.core.values.json import JsonObject, thaw
from engine.core.values.limits import parse_yaml

FOLDER = Path(__file__).parent
CATEGORIES = ("Basics", "Teams", "Quality", "People", "Tools", "Reliability")
"""Groups of the gallery, in the order in which they are shown."""
_SEPARATOR = "\n---\n"


class Card(BaseModel):
    """What the gallery says beside the document. `order` is the place within the category."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    pattern: str
    category: str
    order: int


@dataclass(frozen=True, slots=True)
class Template:
    """One template: its card, its graph, and the graphs that come along."""

    id: str
    card: Card
    spec: GraphSpec
    document: JsonObject
    children: tuple[JsonObject, ...]
    needs: Need

    @property
    def examples(self) -> list[Any]:
        """Inputs to try it on, the first one first; every template has at least one."""
        assert self.spec.interface is not None
        return list(thaw(self.spec.interface.inputs.get("examples", ())))


@lru_cache(maxsize=1)
def templates() -> tuple[Template, ...]:
    """Return every template in the order of the gallery."""
    found = [read_template(path) for path in FOLDER.glob("*.yaml")]
    return tuple(
        sorted(found, key=lambda t: (CATEGORIES.index(t.card.category), t.card.order, t.id))
    )


def template(name: str) -> Template:
    """Return one template. Raises `NotFound`."""
    for known in templates():
        if known.id == name:
            return known
    raise NotFound("no such template", code="TemplateNotFound")


def read_template(path: Path) -> Template:
    """Return the template in a file. Raises `ValueError`, which names the file."""
    card, *texts = path.read_text(encoding="utf-8").split(_SEPARATOR)
    specs = [_spec(path, text) for text in texts]
    documents = tuple(thaw(parse_yaml(text)) for text in texts)
    return Template(
        path.stem,
        Card.model_validate(thaw(parse_yaml(card))),
        specs[0],
        documents[0],
        documents[1:],
        need_of(specs),
    )


def _spec(path: Path, text: str) -> GraphSpec:
    spec, problems = parse_document(text)
    if spec is None:
        raise ValueError(f"{path.name}: {problems[0]}")
    return spec
