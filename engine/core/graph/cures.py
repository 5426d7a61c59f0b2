"""What mends a problem: edits of the document that a program can make, under a label for people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from engine.core.values.json import JsonObject


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a part of the document.

    `set` puts `value` at `path` inside the part (None takes it out; a part with an empty path is the
    whole: a node is new, or goes with its wires), `add` puts it at the end of the list there unless it is in it. A node that says nothing
    about its keys has those of the graph's defaults. `id` names a node or edge, and is empty for the
    graph and for an edge that is new.
    """

    part: Literal["node", "edge", "graph"]
    id: str
    path: tuple[str | int, ...]
    value: Any = field(default=None, hash=False)
    op: Literal["set", "add"] = "set"

    def to_json(self) -> JsonObject:
        """Return the form that commands print and the API sends."""
        return {
            "op": self.op,
            "part": self.part,
            "id": self.id,
            "path": list(self.path),
            "value": self.value,
        }


@dataclass(frozen=True, slots=True)
class Cure:
    """A way to mend a problem; `label` is what a button says, in the imperative.

    What no edit of the document mends has none: `tool` names the tool that is to be opened, or
    `settings` the part of the workspace's settings.
    """

    label: str
    edits: tuple[Edit, ...]
    tool: str | None = None
    settings: Literal["models"] | None = None

    def to_json(self) -> JsonObject:
        """Return the form that commands print and the API sends."""
        out: JsonObject = {"label": self.label, "edits": [edit.to_json() for edit in self.edits]}
        if self.tool is not None:
            out["tool"] = self.tool
        if self.settings is not None:
            out["settings"] = self.settings
        return out


def wire(source: str, target: str) -> Edit:
    """Return the edit that draws a plain edge."""
    return Edit("edge", "", (), {"source": source, "target": target})


def allow(node: str, key: str) -> Cure:
    """Return the cure that lets a node read a key."""
    return Cure(f"Allow reading {key}", (Edit("node", node, ("read_keys",), key, "add"),))
