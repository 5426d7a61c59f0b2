"""Reads the text of a document: JSON where it is JSON, else YAML 1.2."""

from __future__ import annotations

from typing import Any

import orjson
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from engine.values import InvalidJson, freeze


class Unreadable(ValueError):
    """The text is neither YAML nor JSON."""


def read_document(text: str | bytes) -> Any:
    """Return what the text stands for, frozen. Raises `Unreadable`, `InvalidJson`."""
    try:
        return freeze(orjson.loads(text))
    except orjson.JSONDecodeError:
        return freeze(_read_yaml(text))


def _read_yaml(text: str | bytes) -> Any:
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    try:
        return yaml.load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, InvalidJson):
            raise
        raise Unreadable(f"This is neither YAML nor JSON: {str(error)[:300]}") from error
