"""The types of the front end: one interface for each event, and their union."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.cli.event_forms.classes import GROUPS, SUBJECTS, Field, Form, Forms

HEAD: Final = """\
/**
 * What each event of a run's log carries, as it arrives: one flat object each (`docs/events.md`).
 *
 * Written by `python -m engine.cli.event_forms`; a test holds it to `engine/core/state/event_types`.
 */

import type { Json, JsonObject } from '../../api/types/types.ts';
import type { BlobRef } from '../values/json.ts';

/** Any event. */
export interface Recorded {
  /** The place in the log, from 1 without a gap. */
  seq: number;
  /** When it was recorded: RFC 3339, in UTC. */
  at: string;
"""
PLACE: Final = {
    "OfActivation": (
        "  /** The node that it is about. */\n  node: string;\n"
        "  /** The activation that it is about. */\n  key: string;\n"
    ),
    "OfEither": (
        "  /** The node that it is about, if it is about one. */\n  node?: string;\n"
        "  /** The activation that it is about, if it is about one. */\n  key?: string;\n"
    ),
}
"""By whom an event is about: the fields that stand beside `seq`, `type` and `at`."""


def typescript(forms: Forms) -> str:
    """Return the module of the front end with the types of all events."""
    recorded, *shared = _shared(forms)
    parts = [HEAD + _fields(forms, recorded.own) + "}\n"]
    parts += [_interface(forms, each) for each in shared]
    parts += [_interface(forms, each, event=True) for each in forms.all_events()]
    union = "".join(f"\n  | {each.name}" for each in forms.all_events())
    return "\n".join([*parts, f"export type RunEvent ={union};\n"])


def _shared(forms: Forms) -> Iterator[Form]:
    for module in forms.by_module:
        events = () if module not in GROUPS else {each.name for each in forms.events(module)}
        yield from (form for form in forms.by_module[module] if form.name not in events)


def _interface(forms: Forms, form: Form, *, event: bool = False) -> str:
    bases = [base for base in form.bases if base != "TypedDict"]
    around = f" extends {', '.join(bases)}" if bases else ""
    kind = f"  type: '{form.name}';\n" if event else ""
    place = PLACE.get(form.name, "") if form.name in SUBJECTS else ""
    body = kind + place + _fields(forms, form.own)
    head = f"/** {form.text} */\nexport interface {form.name}{around}"
    if not body and not event:
        return f"/** {form.text} */\nexport type {form.name} = {' & '.join(bases)};\n"
    return f"{head} {{\n{body}}}\n"


def _fields(forms: Forms, fields: tuple[Field, ...]) -> str:
    return "".join(
        f"  /** {field.text} */\n"
        f"  {field.name}{'?' if field.optional else ''}: {forms.typescript(field.form)};\n"
        for field in fields
    )
