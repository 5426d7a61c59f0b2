"""A credential that is not there, or not for this host, is a problem while drawing."""

from __future__ import annotations

from typing import Any

import pytest

from engine.check import StaticWorld, check
from engine.check.remainder import remainder
from engine.core.graph.document import parse_document

STORED: dict[str, tuple[str, ...]] = {"crm": ("api.example.com", "*.crm.example")}


def problems(
    config: dict[str, Any], credentials: dict[str, tuple[str, ...]] | None = STORED
) -> dict[str, str]:
    spec, _ = parse_document(
        {
            "id": "g",
            "name": "G",
            "nodes": [{"id": "h", "type": "http_request", "config": config}],
            "edges": [{"source": "START", "target": "h"}, {"source": "h", "target": "END"}],
        }
    )
    assert spec is not None
    found = check(spec, StaticWorld(credentials=credentials))
    return {p.path: p.code for p in found if p.code.startswith("Credential")}


@pytest.mark.parametrize(
    ("url", "credential", "code"),
    [
        ("https://api.example.com/a", "crm", None),
        ("https://eu.crm.example/a", "crm", None),
        ("https://{{ input.host }}/a", "crm", None),
        ("{{ input.url }}", "crm", None),
        ("https://other.example/a", "crm", "CredentialNotBound"),
        ("https://other.example/{{ input.id }}", "crm", "CredentialNotBound"),
        ("https://api.example.com/a", "crn", "CredentialNotFound"),
        ("http://[::1", "crm", None),
    ],
)
def test_a_credential_is_looked_up(url: str, credential: str, code: str | None) -> None:
    found = problems({"url": url, "credential": credential})

    assert found == ({} if code is None else {"nodes[0].config.credential": code})


def test_that_of_an_undo_is_judged_by_its_own_address() -> None:
    undo = {"url": "https://other.example/", "credential": "crm"}
    found = problems({"url": "https://api.example.com/", "credential": "crm", "compensation": undo})

    assert found == {"nodes[0].config.compensation.credential": "CredentialNotBound"}


def test_where_nobody_knows_the_credentials_nothing_is_said() -> None:
    assert problems({"url": "https://a.example/", "credential": "x"}, None) == {}


@pytest.mark.parametrize("also", [{"tiemout": 3}, {"tiemout": 3, "headres": {}}])
def test_a_field_that_does_not_exist_hides_nothing_else(also: dict[str, Any]) -> None:
    """All problems of a node are told at once."""
    config = {"url": "https://a.example/{{ input.x }}", "credential": "nosuch", **also}
    spec, _ = parse_document(
        {"id": "g", "nodes": [{"id": "h", "type": "http_request", "config": config}]}
    )
    assert spec is not None
    codes = [problem.code for problem in check(spec, StaticWorld(credentials=STORED))]

    assert codes.count("UnknownField") == len(also)
    assert {"CredentialNotFound", "UnreadableKey"} <= set(codes)


def test_a_broken_form_elsewhere_hides_no_credential() -> None:
    config = {"url": "https://a.example/", "credential": "nosuch"}
    nodes = [{"id": "h", "type": "http_request", "config": config}]
    source = {"id": "g", "nodes": nodes, "gaol": "x"}
    _, known = parse_document(source)
    found = remainder(source, known, lambda _spec: StaticWorld(credentials=STORED))

    assert [problem.code for problem in found] == ["CredentialNotFound"]
