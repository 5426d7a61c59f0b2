"""`python -m builder.project.settings_page` writes `docs/settings.md` from where settings are read.

A setting is a call of `builder.base.environment` in `builder/project/settings.py`; the text below its statement
says what it means. A setting without one is refused, so that none is left out of the page.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.integrations.models.discovery import hosted_providers

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCE: Final = ROOT / "builder" / "project" / "settings.py"
PAGE: Final = ROOT / "docs" / "settings.md"
FORMS: Final = {
    "text": "text",
    "flag": "yes or no",
    "number": "whole number",
    "words": "list, with commas",
    "address": "address",
}
"""By reader of `builder.base.environment`: what it takes."""
HEAD: Final = """\
# Settings

Every setting that is read from the environment, in the order of `builder/project/settings.py`. All have a
default that works on one machine. *Yes or no* is `1`, `true`, `yes`, `on` or their opposites;
anything else, and anything that is no number where one is wanted, is refused at the start.

This page is written by `python -m builder.project.settings_page`; a test holds it to the code.

| Name | Takes | Default | Meaning |
| --- | --- | --- | --- |
"""
KEYS: Final = """
## Keys of model providers

A key is found in the environment and used once an admin accepts the provider under *Settings,
Models and prices*. Nothing else of the environment is read.

| Name | Provider |
| --- | --- |
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """One variable of the environment."""

    name: str
    form: str
    default: str
    meaning: str


class Undescribed(ValueError):
    """A setting is read and nothing says what it means."""


def settings_in(source: str) -> list[Setting]:
    """Return the settings that a module reads, in its order. Raises `Undescribed`."""
    body = ast.parse(source).body
    found: list[Setting] = []
    for statement, following in zip(body, [*body[1:], None], strict=True):
        for call, form in _reads(statement):
            name = _constant(call.args[0])
            meaning = _text(following)
            if not meaning:
                raise Undescribed(f"{name} (line {call.lineno}): write below it what it means")
            default = _constant(call.args[1]) if len(call.args) > 1 else ""
            found.append(Setting(name, form, default, meaning))
    return found


def page() -> str:
    """Return the page as the code is now."""
    rows = [
        f"| `{one.name}` | {one.form} | {_shown(one)} | {one.meaning} |"
        for one in settings_in(SOURCE.read_text(encoding="utf-8"))
    ]
    keys = [
        f"| {', '.join(f'`{name}`' for name in entry.key_names)} | {entry.label} |"
        for _, entry in sorted(hosted_providers().items())
    ]
    return HEAD + "\n".join(rows) + "\n" + KEYS + "\n".join(keys) + "\n"


def _reads(statement: ast.stmt) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            form = FORMS.get(node.func.attr)
            if form and isinstance(owner, ast.Name) and owner.id == "env":
                yield node, form


def _text(statement: ast.stmt | None) -> str:
    """Return a text that stands alone, in one line, as a cell of a table takes it."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    text = value.value if isinstance(value, ast.Constant) else ""
    return " ".join(str(text).split()).replace("|", "\\|")


def _constant(node: ast.expr) -> str:
    """Return a value as it is written in the environment, empty where it is worked out."""
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _shown(setting: Setting) -> str:
    if setting.form == FORMS["flag"]:
        return "yes" if setting.default == "True" else "no"
    return f"`{setting.default}`" if setting.default else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
