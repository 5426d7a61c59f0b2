"""`python -m builder.project.api_schema` writes the schemas that the API serves for the front end.

Only the forms of bodies and answers are kept: `npm run types` makes the front end's types from them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
FILE: Final = ROOT / "frontend" / "src" / "api" / "types" / "schema.gen.json"


def served() -> str:
    """Return the forms of bodies and answers as the API serves them, as an OpenAPI document."""
    from drf_spectacular.generators import SchemaGenerator

    generator: Any = SchemaGenerator
    schema = generator().get_schema(request=None, public=True)
    document = {
        "openapi": schema["openapi"],
        "info": {"title": schema["info"]["title"], "version": "generated"},
        "paths": {},
        "components": {"schemas": schema["components"]["schemas"]},
    }
    return json.dumps(_plain(document), indent=1, ensure_ascii=False, default=str) + "\n"


def _plain(value: object, *, names: bool = False) -> object:
    """Return a schema without the titles that repeat a field's name."""
    if isinstance(value, dict):
        return {
            key: _plain(each, names=key in ("properties", "schemas"))
            for key, each in value.items()
            if names or key != "title" or not isinstance(each, str) or "openapi" in value
        }
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.project.settings")
    django.setup()
    FILE.write_text(served(), encoding="utf-8")
