"""Writes documents for people: JSON with indents, YAML in the order of the documentation."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson

from engine.core.graph.document import GraphSpec, dump_document
from engine.core.values.json import thaw


def to_json(document: Mapping[str, Any], spec: GraphSpec | None) -> str:
    """Return the document as JSON; without defaults where it is well-formed."""
    return orjson.dumps(_plain(document, spec), option=orjson.OPT_INDENT_2).decode()


def to_yaml(document: Mapping[str, Any], spec: GraphSpec | None) -> str:
    """Return a document as text in YAML 1.2; where it could be read (`spec`), in canonical form."""
    from ruamel.yaml import YAML  # here: it takes a thirtieth of a start, and few export

    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    yaml.default_flow_style = False
    yaml.allow_unicode = True
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    out = io.StringIO()
    yaml.dump(_plain(document, spec), out)
    return out.getvalue().removeprefix("%YAML 1.2\n---\n")


def _plain(document: Mapping[str, Any], spec: GraphSpec | None) -> Any:
    return thaw(dict(document)) if spec is None else thaw(dump_document(spec))


Writer = Callable[[Mapping[str, Any], GraphSpec | None], str]
WRITERS: Final[Mapping[str, tuple[str, Writer]]] = {
    "json": ("application/json", to_json),
    "yaml": ("application/yaml", to_yaml),
}
