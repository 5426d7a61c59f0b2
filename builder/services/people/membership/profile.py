"""What people say of themselves: their name, their time zone, and how pages look to them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from builder.base.clock import is_zone, now_ms
from builder.base.errors import InvalidInput
from builder.models import User
from builder.services.mail import notifications


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be otherwise; None stays. An empty zone: that of each workspace."""

    name: str | None = None
    zone: str | None = None
    theme: str | None = None


def change(user: User, wanted: Change) -> None:
    """Change one's own account; mail that waits follows the time zone. Raises `InvalidInput`."""
    given = {
        "name": None if wanted.name is None else wanted.name.strip(),
        "zone": wanted.zone,
        "theme": wanted.theme,
    }
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields:
        raise InvalidInput("a name, a time zone or a look", path="name")
    if given["name"] == "":
        raise InvalidInput("a name", path="name")
    if wanted.zone and not is_zone(wanted.zone):
        raise InvalidInput("the name of a time zone, like Europe/Berlin", path="zone")
    with transaction.atomic():
        for name, value in fields.items():
            setattr(user, name, value)
        user.save(update_fields=list(fields))
        if wanted.zone is not None:
            notifications.follow(user, now_ms())
