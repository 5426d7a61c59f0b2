"""How documents name people: `user:x`, `group:y`, `role:z`, or an expression that yields such."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field


def _check_principal(value: str) -> str:
    kind, colon, name = value.partition(":")
    if value.startswith("=") and value[1:].strip():
        return value
    if not (colon and kind in ("user", "group", "role") and name.strip()):
        raise ValueError("user:x, group:y, role:z or =expression")
    return value


def _check_named(value: str) -> str:
    if value.startswith("="):
        raise ValueError("user:x, group:y or role:z, no expression")
    return _check_principal(value)


def listed(value: object) -> Any:
    """Return one text as a list of one, a list as a tuple."""
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


Principal: TypeAlias = Annotated[str, AfterValidator(_check_principal)]
Named: TypeAlias = Annotated[str, AfterValidator(_check_named), Field(max_length=300)]
NamedPeople: TypeAlias = Annotated[
    tuple[Named, ...], BeforeValidator(listed), Field(min_length=1, max_length=50)
]
