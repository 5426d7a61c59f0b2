"""The lists that every page of the inbox asks for again and again, by queries that are made once.

Making the SQL of one of them costs as much as reading it: three levels of conditions, beside which the
database looks at some fifty rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from django.db.models.expressions import RawSQL
from django.utils import timezone

from builder.api.http.pagination import DEFAULT_LIMIT, MAX_LIMIT, Page, PreparedPage, Window
from builder.api.http.view import scoped
from builder.api.inbox.lists.filters import ENDS_FIRST, has_top, in_order, of_runs, viewed
from builder.models import Interrupt, Membership
from builder.models.ledger.asking import Reviewer, any_on_top
from builder.models.ledger.places import reviewers_of
from builder.models.prepared import any_case, each_of, moment, moment_text
from builder.models.querysets import InterruptQuerySet

USUAL: Final[Mapping[str, tuple[str, ...]]] = {
    "state": ("", "open"),
    "view": ("", "decide", "mine", "groups"),
    "tests": ("", "true", "false"),
    "ordering": ("", ENDS_FIRST),
}
"""What may be asked for, and with which words; anything besides is read the long way."""
LIMITS: Final = (1, DEFAULT_LIMIT, MAX_LIMIT)
KEPT: Final = 64
"""Kinds of lists whose queries are kept: an inbox asks for four, by each of a few roles."""
Query = tuple[tuple[str, str], ...]


def usual_list(
    member: Membership, query: Mapping[str, str], window: Window
) -> Page[Interrupt] | None:
    """Return what the long way would; None where it has to be gone.

    That is where something comes before all else, and where one decides in somebody's place.
    """
    if window.cursor or window.limit not in LIMITS or not _is_usual(query):
        return None
    if has_top(query) and any_on_top(member.user_id, member.workspace_id):
        return None
    asked = tuple(sorted(query.items()))
    mine = member.user_id, member.workspace_id
    if not query.get("view"):
        return _page("", asked, window.limit).read(*mine, "", "[]", "")
    reviewer, *absent = reviewers_of(member)
    if absent:
        return None
    login, entries = any_case(reviewer.login), json.dumps(reviewer.entries)
    read = _page(reviewer.role, asked, window.limit)
    return read.read(*mine, login, entries, moment_text(timezone.now()))


def _is_usual(query: Mapping[str, str]) -> bool:
    return all(text in USUAL.get(name, ()) for name, text in query.items())


@lru_cache(maxsize=KEPT)
def _page(role: str, asked: Query, limit: int) -> PreparedPage[Interrupt]:
    query = dict(asked)

    def rows(user: str, workspace: str, login: str, entries: str, now: str) -> InterruptQuerySet:
        entry = RawSQL("'user:' || %s", (user,))
        reviewer = Reviewer(user, workspace, role, entry, login, each_of(entries))
        found = scoped(Interrupt.objects.all(), user, workspace)
        seen = viewed(found, query, [reviewer], moment(now))
        return in_order(of_runs(seen, query), query).rows

    order = in_order(Interrupt.objects.all(), query)
    return PreparedPage(
        rows, limit, field=order.field, newest_first=order.largest_first, spare=True
    )
