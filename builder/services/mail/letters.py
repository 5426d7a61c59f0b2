"""What a letter says: the items that wait for one person, a link to each, and how to get fewer.

What a run wrote stays in the app, where it is marked as such, unless the workspace allows titles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.mail import EmailMessage

from builder.base import address
from builder.models import Interrupt, Letter, Membership, Notice
from builder.reads.inbox.sums import with_sums
from builder.reads.inbox_items import Item, items_of
from builder.services.mail.asking_words import AskingWords
from builder.services.mail.notifications import Rhythm, When, rhythm_of

TITLES: Final = "mail_titles"
"""The setting of a workspace that lets mails say what is asked, not only at which step."""
MAX_SUBJECT: Final = 150
MAX_TITLE: Final = 120
MAX_LINES: Final = 20
"""Items, or groups of alike ones, that a letter names; the inbox has them all."""
FEW: Final = 5
"""Of more items that a letter could not tell apart, it tells how many there are and where they are."""
MAX_THREAD: Final = 5
"""A letter about items of more former letters than these begins a thread of its own."""
RANKS: Final = ("asked", "replied", "again", "escalated", "reminded", "opened")
"""Of several reasons to tell somebody of one item, the first of these is named."""
SUBJECTS: Final = {
    "opened": "",
    "reminded": "Reminder: ",
    "escalated": "Passed on to you: ",
    "again": "Asked again: ",
    "asked": "A question to you: ",
    "replied": "Answered: ",
}
MARKS: Final = {
    "opened": "",
    "reminded": ", reminder",
    "escalated": ", passed on to you",
    "again": ", asked again: what it shows was changed after you decided",
}
RHYTHMS: Final[Mapping[str, str]] = {
    When.AT_ONCE: "at once",
    When.HOURLY: "once an hour",
    When.DAILY: "once a day",
}


def written(letter: Letter) -> EmailMessage | None:
    """Return the mail as things stand now, None where nothing is left to tell."""
    member = (
        Membership.objects.select_related("user", "workspace")
        .filter(user=letter.user_id, workspace=letter.workspace_id, user__is_active=True)
        .first()
    )
    if member is None or not member.user.email:
        return None
    rhythm = rhythm_of(member.user, member.zone)
    if rhythm.when == When.NEVER:
        return None
    reasons = _reasons(letter)
    rows = Interrupt.objects.open().filter(pk__in=reasons).order_by("opened_at", "pk")
    items = [item for item in items_of(list(rows), member) if _is_theirs(item)]
    if not items:
        return None
    lines = _Lines(member, items)
    page = f"{address.public()}/notifications"
    return EmailMessage(
        " ".join(lines.subject(items, reasons).split())[:MAX_SUBJECT],
        "\n".join([*lines.body(items, reasons), "", *_foot(rhythm, page)]),
        to=[member.user.email],
        headers={**_headers(letter, items), "List-Unsubscribe": f"<{page}>"},
    )


def message_id(name: str) -> str:
    """Return what mail servers know a letter by."""
    host = str(settings.DEFAULT_FROM_EMAIL).rpartition("@")[2].strip(" >") or "localhost"
    return f"<{name}@{host}>"


def _reasons(letter: Letter) -> dict[str, str]:
    """Return why the letter names each of its items, by request."""
    found: dict[str, str] = {}
    for request, why in letter.notices.values_list("interrupt", "why"):
        found[request] = min(found.get(request, why), why, key=RANKS.index)
    return found


def _is_theirs(item: Item) -> bool:
    return item.mine is None and item.snooze is None and item.why_not_told(item.viewer) is None


def _foot(rhythm: Rhythm, page: str) -> list[str]:
    return [
        "Opening a link decides nothing.",
        "",
        "-- ",
        f"You are told {_how_often(rhythm)}. Choose when, or never: {page}",
    ]


def _how_often(rhythm: Rhythm) -> str:
    at = f" at {rhythm.hour:02}:00 ({rhythm.zone})" if rhythm.when == When.DAILY else ""
    return RHYTHMS[rhythm.when] + at


def _headers(letter: Letter, items: Sequence[Item]) -> dict[str, str]:
    headers = {"Message-ID": message_id(letter.pk), "Auto-Submitted": "auto-generated"}
    before = _letters_before(letter, items)
    if before:
        headers["In-Reply-To"] = message_id(before[-1])
        headers["References"] = " ".join(message_id(pk) for pk in before)
    return headers


def _letters_before(letter: Letter, items: Sequence[Item]) -> list[str]:
    """Return the letters that told the person of the same runs, the oldest first, if they are few."""
    runs = {item.row.run for item in items}
    told = Notice.objects.filter(
        user=letter.user_id, letter__done_at__isnull=False, interrupt__run__in=runs
    )
    found = told.exclude(letter=letter.pk).order_by("letter__made_at", "letter")
    pks = list(found.values_list("letter", flat=True).distinct()[: MAX_THREAD + 1])
    return [str(pk) for pk in pks] if len(pks) <= MAX_THREAD or len(runs) == 1 else []


class _Lines:
    """What is written about items, in the words that the workspace allows."""

    def __init__(self, member: Membership, items: Sequence[Item]) -> None:
        values = member.workspace.all_settings
        self._name = member.workspace.name
        self._zone = member.zone
        self._with_titles = bool(values[TITLES])
        self._people = AskingWords(items, with_words=self._with_titles)

    def subject(self, items: Sequence[Item], reasons: Mapping[str, str]) -> str:
        """Return the subject; mail headers have one line."""
        first = items[0]
        if len(items) == 1:
            return f"{SUBJECTS[reasons[first.row.pk]]}{self._title(first)} · {_workflow(first)}"
        if self._with_titles:
            return f"{self._title(first)[:80]} and {len(items) - 1} more · {self._name}"
        return f"{len(items)} items wait for you · {self._name}"

    def body(self, items: Sequence[Item], reasons: Mapping[str, str]) -> list[str]:
        """Return the lines about the items, each with its link; of very many the first ones."""
        if len(items) == 1:
            return self._alone(items[0], reasons[items[0].row.pk])
        lines = [f"{len(items)} items wait for a decision of yours in “{self._name}”."]
        by_workflow: dict[str, list[Item]] = defaultdict(list)
        for item in items:
            by_workflow[_workflow(item)].append(item)
        room, left = MAX_LINES, 0
        for workflow, some in by_workflow.items():
            told = self._blocks(some, reasons)
            left += sum(count for count, _ in told[room:])
            lines += ["", workflow] if told[:room] else []
            lines += [line for _, block in told[:room] for line in block]
            room = max(0, room - len(told))
        more = f"And {left} more in the inbox: {address.public()}/inbox"
        return lines if left == 0 else [*lines, "", more]

    def _blocks(
        self, items: Sequence[Item], reasons: Mapping[str, str]
    ) -> list[tuple[int, list[str]]]:
        """Return what is said of items, with how many each block is about."""
        found: list[tuple[int, list[str]]] = []
        for alike in self._alike(items, reasons):
            if len(alike) > FEW:
                found.append((len(alike), self._many(alike)))
            else:
                found += [(1, self._entry(item, reasons[item.row.pk])) for item in alike]
        return found

    def _alike(self, items: Sequence[Item], reasons: Mapping[str, str]) -> list[list[Item]]:
        """Return the items in their order, those together that the letter could not tell apart."""
        found: dict[tuple[str, ...], list[Item]] = {}
        for item in items:
            key = (item.row.pk,) if self._with_titles else (item.row.node, reasons[item.row.pk])
            found.setdefault(key, []).append(item)
        return list(found.values())

    def _many(self, items: Sequence[Item]) -> list[str]:
        """Return how many items of one step wait, until when the first does, and where they are."""
        first = items[0]
        ends = [item.row.expires_at for item in items if item.row.expires_at is not None]
        limit = f", the first until {self._time(min(ends))}" if ends else ""
        graph = first.run.graph_id if first.run and first.run.graph_id else ""
        query = urlencode({"graph": graph, "node": first.row.node} if graph else {})
        return [
            f"- {first.label}: {len(items)} items ({_kind(first)}){limit}",
            f"  All of them: {address.public()}/inbox?{query}",
        ]

    def _alone(self, item: Item, why: str) -> list[str]:
        where = f"{item.label} in the workflow “{_workflow(item)}”"
        waits = self._people.alone(item, why) or "waits for a decision of yours"
        lines = [f"{where} {waits} ({_kind(item)}{self._people.started(item)})."]
        if why == "again":
            lines.append(
                "You had decided, and then somebody changed what it shows: look at it again."
            )
        if self._with_titles and self._title(item) != item.label:
            lines.append(self._title(item))
        lines += self._people.said(item, why)
        if item.row.expires_at is not None:
            lines.append(f"It can be decided until {self._time(item.row.expires_at)}.")
        return [*lines, "", _link(item), ""]

    def _entry(self, item: Item, why: str) -> list[str]:
        named = self._title(item)
        what = named if named == item.label else f"{item.label}: {named}"
        until = item.row.expires_at
        limit = "" if until is None else f", until {self._time(until)}"
        mark = MARKS.get(why) or self._people.mark(item, why)
        about = f"{_kind(item)}{mark}{self._people.started(item)}"
        said = [f"  {line}" for line in self._people.said(item, why)]
        return [f"- {what} ({about}){limit}", *said, f"  {_link(item)}"]

    def _title(self, item: Item) -> str:
        if not self._with_titles:
            return item.label
        request = item.request
        prompt = str(request.get("prompt") or "")[: 4 * MAX_TITLE]
        asked = with_sums(prompt, request) if prompt else request.get("question") or ""
        return " ".join(str(asked)[: 4 * MAX_TITLE].split())[:MAX_TITLE] or item.label

    def _time(self, at: int) -> str:
        return f"{datetime.fromtimestamp(at / 1000, ZoneInfo(self._zone)):%d %B %Y, %H:%M} ({self._zone})"


def _workflow(item: Item) -> str:
    run = item.run
    if run is None:
        return ""
    return run.graph.name if run.graph else run.graph_slug


def _kind(item: Item) -> str:
    return item.row.kind.replace("_", " ")


def _link(item: Item) -> str:
    return f"{address.public()}/inbox/{item.row.pk}"
