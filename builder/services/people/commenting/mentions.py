"""Who is named in what a person wrote: `@` and the name, as it stands in the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypedDict

from builder.base.errors import InvalidInput
from builder.models import Membership

MOST: Final = 20
"""People whom one text names."""


class Mention(TypedDict):
    """Somebody by id, and the name that follows the `@` in the text."""

    id: str
    name: str


def mentions_in(workspace_id: str, text: str, people: Sequence[str]) -> list[Mention]:
    """Return the members that a text names, each once.

    Raises `InvalidInput` for somebody who is no active member of the workspace, or whom the text
    does not name: nobody is told of words that do not speak of them.
    """
    ids = list(dict.fromkeys(people))
    rows = Membership.objects.filter(
        workspace=workspace_id, user__in=ids, user__is_active=True
    ).select_related("user")
    names = {row.user_id: str(row.user) for row in rows}
    for place, who in enumerate(ids):
        if who not in names:
            raise InvalidInput("a member of this workspace", path=f"mentions.{place}")
        if f"@{names[who]}" not in text:
            raise InvalidInput(f"the text does not name @{names[who]}", path=f"mentions.{place}")
    return [Mention(id=who, name=names[who]) for who in ids]
