"""The audit log in Django admin: who did what to what, by names, with a way to the page of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString

from builder.admin import setting_words
from builder.admin.called import Called
from builder.admin.policy_words import policy_words, principal_words
from builder.admin.read_only import ReadOnlyAdmin, one_line
from builder.admin.words import SCOPES
from builder.models import AuditEntry
from builder.reads.audited.names import GRAPH, ids_in, names_of
from builder.reads.audited.steps import PARTICULARS, STEP, steps_in, steps_of
from builder.reads.audited.things import ALERTS
from builder.reads.audited.titles import called, titles_then
from builder.services.audit import chain
from engine.core.state.events import iso

PAGES: Final[Mapping[str, str]] = {
    "graph": "/workflows/{}",
    "run": "/runs/{}",
    "interrupt": "/inbox/{}",
    "decision": "/inbox/{}",
    "retention": "/workflows/{}",
    "draft": "/runs/{}",
}
"""Where the app shows what an entry is of, by the first word of its action."""
WORDS: Final[Mapping[str, str]] = {
    "graph": "workflow",
    "interrupt": "item",
    "version_id": "version",
    "node": "step",
    "pins": "pinned",
    "breakpoints": "stops before",
    "graphs": "workflows",
    "scopes": "may",
}
"""What people call what has another name in entries, as the app calls it."""
MOMENTS: Final = frozenset({"until", "muted_until", "at", "since"})
"""Particulars that are moments, in milliseconds since the epoch."""
THIS_CENTURY: Final = range(940_000_000_000, 4_200_000_000_000)
SETTINGS: Final = "config"
"""The particular that holds settings under the names that they have here."""
SHORT: Final = 20
"""Ids that are longer are cut."""
MAX_VALUE: Final = 120


@dataclass(frozen=True, slots=True)
class Told:
    """An entry as people read it."""

    who: str
    what: str
    subject: str
    page: str
    details: str


def told(rows: Sequence[AuditEntry]) -> dict[int, Told]:
    """Return what entries say, by their keys, with a fixed number of queries for each workspace."""
    found: dict[int, Told] = {}
    of: dict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    for row in rows:
        of[row.workspace_id].append((row.pk, chain.read(row)))
    for workspace, entries in of.items():
        actions = [action for _pk, action in entries]
        names = names_of({one for action in actions for one in ids_in(action)}, workspace)
        then = titles_then(actions, names, workspace)
        steps = steps_of(actions, workspace)
        found |= {
            pk: _told(action, {**names, **steps_in(action, steps)}, then) for pk, action in entries
        }
    return found


def _told(
    action: Mapping[str, Any], names: Mapping[str, str], then: Mapping[tuple[str, str], str]
) -> Told:
    target, actor = str(action["target"]), action["actor"]
    detail = action["detail"] if isinstance(action["detail"], dict) else {}
    named = called(action, names, then)
    page = PAGES.get(str(action["action"]).partition(".")[0], "")
    return Told(
        who="the system" if actor is None else names.get(str(actor), _short(str(actor))),
        what=_words(*str(action["action"]).split(".")).capitalize(),
        subject=named or _short(target),
        page=page.format(target) if named else "",
        details=", ".join(_details(detail, names)),
    )


def _details(
    detail: Mapping[str, Any], names: Mapping[str, str], *, settings: bool = True
) -> Iterator[str]:
    """Yield `label: value`, hashes and what says nothing left out.

    Not `settings` are mappings whose names other people chose, as the answer to a form.
    """
    for name, value in detail.items():
        if value in (None, "", [], {}) or name.endswith("hash"):
            continue
        words = setting_words.said(name, value) if settings else None
        text = _own_words(name, value, names) if settings else None
        label = _words(name)
        if settings:
            label = setting_words.SECOND_NAMES.get(name, label)
        said = text or words or _said(value, names, settings=settings and name == SETTINGS)
        told = isinstance(value, str) and value in names and said.startswith(f"{label} ")
        whole = told or (words and name in setting_words.LIMITS)
        yield said if whole else f"{label}: {said}"


def _own_words(name: str, value: Any, names: Mapping[str, str]) -> str | None:
    """Return what a particular says that has words of its own; None where it says what it holds."""
    if name == "graph":
        return names.get(f"{GRAPH}{value}")
    if name == "policy" and isinstance(value, Mapping) and "sha256" not in value:
        return policy_words(value, names)
    if name == "to" and isinstance(value, list):
        return " and ".join(principal_words(str(one), names) for one in value)
    if name == "what" and isinstance(value, str):
        return ALERTS.get(value)
    if name in MOMENTS and isinstance(value, int) and value in THIS_CENTURY:
        return iso(value)[:16].replace("T", " ")
    return _steps(name, value, names)


def _steps(name: str, value: Any, names: Mapping[str, str]) -> str | None:
    """Return the steps that a particular names as people call them, None where it names none."""
    nodes = value if isinstance(value, list) else [value]
    if name not in PARTICULARS or not any(f"{STEP}{node}" in names for node in nodes):
        return None
    return " and ".join(names.get(f"{STEP}{node}", str(node)) for node in nodes)


def _words(*names: str) -> str:
    return " ".join(WORDS.get(name, name.replace("_", " ")) for name in names)


def _said(value: Any, names: Mapping[str, str], *, settings: bool = False) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        if value.keys() == {"sha256", "bytes"} and isinstance(size := value["bytes"], int):
            return f"{size:,} bytes, kept as a hash"
        return f"({', '.join(_details(value, names, settings=settings))})"
    if isinstance(value, list):
        return " and ".join(_said(one, names) for one in value)
    text = str(value)
    name = names.get(text) or _short(text)
    name = SCOPES.get(name, name)
    return name if len(name) <= MAX_VALUE else f"{name[:MAX_VALUE]}…"


def _short(text: str) -> str:
    return f"{text[:8]}…" if len(text) > SHORT and " " not in text else text


def _column(label: str, shown: Callable[[Told], str]) -> Any:
    @admin.display(description=label)
    def column(row: AuditEntry) -> str:
        return shown(vars(row)["told"])

    return column


def _subject(found: Told) -> str | SafeString:
    if not found.page:
        return found.subject
    return format_html('<a class="underline" href="{}">{}</a>', found.page, found.subject)


NAMED: Final = (
    _column("Who", lambda found: found.who),
    _column("Did", lambda found: found.what),
    _column("To", _subject),
    _column("Details", lambda found: found.details),
)


@admin.display(description="At", ordering="at")
def _moment(row: AuditEntry) -> str:
    return one_line(f"{row.at:%Y-%m-%d %H:%M:%S}")


@admin.register(AuditEntry)
class AuditEntryAdmin(Called, ReadOnlyAdmin):
    """The audit log, the latest of each workspace first."""

    list_display = ("n", _moment, *NAMED, "workspace")
    list_filter = ("workspace",)
    list_select_related = ("workspace",)
    ordering = ("-workspace_id", "-n")  # as its index goes
    search_fields = ("entry",)
    fields = ("workspace", "n", "at", *NAMED, "ref", "entry", "prev_hash", "entry_hash")
    readonly_fields = NAMED

    def name_rows(self, rows: Sequence[AuditEntry]) -> None:
        """Set what entries say, and their names: what was done, and to what."""
        found = told(rows)
        for row in rows:
            said = vars(row)["told"] = found[row.pk]
            vars(row)["called"] = f"{said.what}: {said.subject}"
