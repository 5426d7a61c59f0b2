"""`docs/settings.md` says what the code reads, all of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.project import settings_page
from tests.repository import parsed

ROOT = Path(__file__).parents[3]
READERS = {
    "builder/base/environment.py": "the typed readers themselves",
    "builder/project/api_schema.py": "names the settings module, as every Django project does",
    "builder/project/asgi.py": "names the settings module, as every Django project does",
    "builder/adapters/postgres_dump.py": "hands the environment on to PostgreSQL's programs",
    "builder/adapters/models/access.py": "looks for providers' keys, which the page lists",
    "builder/management/commands/up.py": "hands the environment on to the processes it starts",
    "engine/integrations/models/embeddings/local.py": "keeps the threads of a library down",
}
"""Where the environment may be touched, and why."""


def modules() -> Iterator[Path]:
    for package in ("builder", "engine"):
        yield from sorted((ROOT / package).rglob("*.py"))


def test_the_page_is_fresh() -> None:
    written = settings_page.PAGE.read_text(encoding="utf-8")

    assert written == settings_page.page(), "run: python -m builder.project.settings_page"


def test_the_settings_that_people_look_for_are_there() -> None:
    names = {one.name for one in settings_page.settings_in(settings_page.SOURCE.read_text())}

    assert {"DATABASE_URL", "EGRESS_ALLOW", "MCP_CONFIG", "PUBLIC_URL"} <= names
    assert len(names) >= 25


def test_nothing_reads_the_environment_behind_the_page() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in modules()
        for node in ast.walk(parsed(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Attribute) and node.attr in {"environ", "environb", "getenv"})
    }

    assert found <= set(READERS)


def test_typed_readers_are_used_in_the_settings_only() -> None:
    users = {
        path.name
        for path in modules()
        if any(settings_page._reads(s) and [*settings_page._reads(s)] for s in _body(path))
    }

    assert users == {"settings.py"}


def _body(path: Path) -> list[ast.stmt]:
    return parsed(path.read_text(encoding="utf-8")).body


def test_a_setting_that_nobody_described_is_refused() -> None:
    with pytest.raises(settings_page.Undescribed, match="COLOUR"):
        settings_page.settings_in('COLOUR = env.text("COLOUR")\nX = 1\n')


def test_what_is_worked_out_has_no_default_to_show() -> None:
    [one] = settings_page.settings_in('A = env.text("A", str(HOME))\n"""Where | how."""\n')

    assert (one.default, one.meaning) == ("", "Where \\| how.")
