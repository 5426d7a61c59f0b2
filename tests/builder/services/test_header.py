"""What a document says beside its parts is listed once: as the fields of the document's form."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

from builder.models import Graph
from builder.services.graphs.drafts import HEADER_KEYS
from engine.core.graph.document import GraphSpec
from tests.builder.conftest import Api

SAID: Final[dict[str, Any]] = {
    "version": "1.2",
    "goal": "Answer",
    "constraints": ["short"],
    "state_schema": {"type": "object"},
    "initial_memory": {"tone": "warm"},
    "defaults": {"read_keys": ["input"]},
    "limits": {"max_iterations": 7},
    "interface": {"outputs": ["answer"]},
    "agents": [{"id": "writer"}],
    "notes": [{"id": "n", "text": "Look here"}],
}
FRONT: Final = Path(__file__).parents[3] / "frontend/src/graph/document/document.ts"
NOT_SETTINGS: Final = {"version", "notes"}
"""The page shows no version to edit, and a note is a record of its own."""


@pytest.mark.parametrize("name", HEADER_KEYS)
def test_every_field_of_the_header_is_saved_and_taken_out(
    alice: Api, graph: Graph, name: str
) -> None:
    def save(revision: int, value: Any) -> Any:
        change = {"revision": revision, "set_graph": {name: value}}
        assert alice.patch(f"graphs/{graph.pk}/draft/", change).status_code == 200
        return alice.get(f"graphs/{graph.pk}/").json()["document"].get(name)

    assert save(1, SAID[name]) == SAID[name]
    assert save(2, None) is None


@pytest.mark.parametrize("name", HEADER_KEYS)
def test_a_field_of_another_shape_is_refused(alice: Api, graph: Graph, name: str) -> None:
    change = {"revision": 1, "set_graph": {name: 7}}

    assert alice.patch(f"graphs/{graph.pk}/draft/", change).status_code == 400


def test_the_page_knows_the_same_settings_and_what_silence_means() -> None:
    [listed] = re.findall(r"silentSettings[^{]*= \{\n(.*?)\n\};", FRONT.read_text(), re.DOTALL)
    fields = re.findall(r"^  (\w+): (.+),$", listed, re.MULTILINE)
    said: dict[str, Any] = {
        name: {"''": "", "[]": [], "{}": {}, "null": None}[text] for name, text in fields
    }
    silent = GraphSpec(id="silent").model_dump(mode="json", exclude_defaults=True)
    spoken = GraphSpec.model_validate({"id": "silent", **said})

    assert set(said) == set(HEADER_KEYS) - NOT_SETTINGS
    assert spoken.model_dump(mode="json", exclude_defaults=True) == silent
