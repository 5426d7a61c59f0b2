"""Which items a figure about reviewers counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import Field

from builder.api.http.wire import Body, Moment
from builder.base.errors import NotAllowed
from builder.models import Membership
from builder.models.querysets import InterruptQuerySet
from builder.reads.reviews.judged import EVER, Among, items_with
from builder.services.permissions import Right, may

REVIEWS: Final = ("reviewer", "review")
Flag = Literal["decided", "approved", "seen", "quick", "unopened", "edited", "back", "overturned"]


class ReviewBody(Body):
    """Items by who decided them and in which way; `reviewer` empty means anybody."""

    reviewer: Annotated[str, Field(max_length=64)] = ""
    review: Flag = "decided"
    closed_since: Moment | None = None
    closed_until: Moment | None = None


def reviewed(
    rows: InterruptQuerySet, member: Membership, query: Mapping[str, str]
) -> InterruptQuerySet:
    """Return those of the rows that were decided so.

    Raises `NotAllowed` where somebody asks about others who is no admin, `InvalidInput`.
    """
    if not any(query.get(name) for name in REVIEWS):
        return rows
    body = ReviewBody.read({n: text for n in ReviewBody.model_fields if (text := query.get(n))})
    if body.reviewer != member.user_id and not may(member, Right.ADMIN):
        raise NotAllowed("admins see how others decide; everybody sees their own")
    since = 0 if body.closed_since is None else int(body.closed_since.timestamp() * 1000)
    until = EVER if body.closed_until is None else int(body.closed_until.timestamp() * 1000)
    among = Among(member.workspace_id, since, until, body.reviewer)
    return rows.filter(pk__in=items_with(among, body.review))
