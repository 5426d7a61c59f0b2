"""The reference of events for people: `docs/events.md`."""

from __future__ import annotations

from typing import Final

from engine.cli.event_forms.classes import Form, Forms

HEAD: Final = """\
# The event log

Every run has one log, dense (`seq` 1..n) and append-only. The canvas, the run page, the inbox and the
dashboards are folds over it. On the wire (REST, websocket, `--events`) an event is one flat object:

```json
{"seq": 7, "type": "NodeCompleted", "at": "2026-11-21T10:00:00.123Z", "node": "classify", "key": "classify#1", "edges": [2], "writes": {"kind": "question"}, "attempts": 1, "duration_ms": 812, "output": {"kind": "question"}}
```

`key` is the activation: `node#visit`, for items `node[item]#visit`, children prefixed by their parent's key
(`mapper#1/worker[0]#1`). `node` is the id of the last part. `cause` stands only on a transition's first event:
what that was made for; the same cause moves a run once. A field with `?` may be absent.
Values above 64 KiB arrive as `{"$blob": sha256, "bytes": n}` and are fetched from `/api/runs/{id}/blobs/{sha256}/`.

This page is written by `python -m engine.cli.event_forms` from the classes in
`engine/core/state/event_types`; a test holds it to them.

Activation statuses follow: `NodeQueued` → queued, `NodeStarted` → running, `AttemptFailed` → retrying, `NodeWaiting`
on `interrupt` → waiting (on children, timer or child run it stays running), `NodeInDoubt` → in_doubt,
`NodeCompleted` → completed, `NodeFailed` → failed, `NodeSkipped` → skipped, `NodeCancelled` → cancelled.

Spend of a node is the sum of `cost_usd` and `tokens` over `StepCompleted` and `StepFailed` with that `key` (children
included); held is the sum of `hold` of steps intended and not yet completed or failed.
Ephemeral frames (token deltas) are not in the log: [api.md](api.md).
"""
TITLES: Final = {
    "runs": "The run",
    "activations": "Activations",
    "steps": "Calls, and what a node shows",
    "waits": "Waiting",
    "asking": "Asking back",
}
SUBJECT: Final = {
    "OfRun": "Of the run: no key.",
    "OfActivation": "Of an activation.",
    "OfEither": "Of an activation or of the run.",
}


def page(forms: Forms) -> str:
    """Return the reference as the classes are now."""
    parts = [HEAD]
    for module, title in TITLES.items():
        parts.append(f"## {title}\n")
        parts += [_section(forms, each, event=True) for each in forms.events(module)]
    parts.append("## Values of fields\n")
    parts += [_section(forms, each, event=False) for each in forms.values()]
    return "\n".join(parts)


def _section(forms: Forms, form: Form, *, event: bool) -> str:
    about = f" {SUBJECT[forms.subject(form) or '']}" if event else ""
    rows = [
        f"| `{field.name}`{'?' if field.optional else ''} "
        f"| {_cell(forms.typescript(field.form))} | {field.text} |\n"
        for field in forms.fields(form)
    ]
    table = "\n| Field | Type | Meaning |\n| --- | --- | --- |\n" + "".join(rows) if rows else ""
    return f"### `{form.name}`\n\n{form.text}{about}\n{table}"


def _cell(form: str) -> str:
    return "`" + form.replace("'", '"').replace("|", "\\|") + "`"
