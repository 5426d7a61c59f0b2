"""What a person's groups at the firm give them in its workspace: only what an admin has written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from builder.base.errors import InvalidInput, problem
from builder.models import IdentityProvider, Role

MAX_ROWS: Final = 100
MAX_GROUPS: Final = 2_000
"""Groups of one person that are looked at; who has more is refused, not read in part."""
MAX_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class Granted:
    """A role, and groups of the workspace; `ours` are all groups that the map gives to anybody."""

    role: str
    groups: frozenset[str]
    ours: frozenset[str]


def granted(provider: IdentityProvider, claims: Mapping[str, Any]) -> Granted | None:
    """Return what the claims give; None where no row of the map fits. Raises `InvalidInput`."""
    theirs = _groups(claims.get(provider.groups_claim))
    rows: Sequence[Mapping[str, Any]] = provider.group_map
    fitting = [row for row in rows if row["group"] == "*" or row["group"] in theirs]
    if not fitting:
        return None
    ours = frozenset(name for row in rows for name in row["groups"])
    return Granted(
        str(fitting[0]["role"]), frozenset(name for row in fitting for name in row["groups"]), ours
    )


def checked_map(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the map as it is kept. Raises `InvalidInput`: everybody is never admin."""
    found = []
    for at, row in enumerate(rows):
        if row["group"] == "*" and row["role"] == Role.ADMIN:
            where = f"group_map[{at}].role"
            raise InvalidInput(
                "everybody of the firm as admin: name the group whose members are",
                problems=[problem("InputInvalid", where, "name a group for the role admin")],
            )
        names = sorted({str(name).strip() for name in row["groups"] if str(name).strip()})
        found.append({"group": row["group"], "role": row["role"], "groups": names})
    return found


def _groups(claim: Any) -> frozenset[str]:
    if isinstance(claim, str):
        return frozenset({claim})
    if not isinstance(claim, list):
        return frozenset()
    if len(claim) > MAX_GROUPS:
        raise InvalidInput(f"more than {MAX_GROUPS} groups", path="groups")
    return frozenset(one for one in claim if isinstance(one, str) and len(one) <= MAX_NAME)
