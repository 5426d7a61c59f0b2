"""Every action that the server writes into the audit log has words on the page that shows it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from tests.repository import ROOT, tracked

WORDS: Final = ROOT / "frontend/src/features/settings/audit/actions.ts"
RECORDS: Final = re.compile(r"record|_record|_tell|_save|_made|_dealt|_settled|append|AuditAction")
CODE: Final = re.compile(r"[a-z_]+\.[a-z_]+")
FAMILY: Final = re.compile(r"([a-z_]+)\.\{([a-z_]+)\}")
"""A code with its end from outside: `f"alert.{action}"`."""
FROM_EVENTS: Final = {
    *("run.started", "run.retried", "run.forked", "run.cancelled", "budget.raised"),
    *("decision.recorded", "decision.lapsed", "interrupt.decided", "interrupt.answered"),
    *("interrupt.expired", "interrupt.cancelled", "interrupt.superseded"),
    *("interrupt.asked_back", "interrupt.asking_answered", "interrupt.asking_withdrawn"),
    *("interrupt.asking_lapsed", "runs.pruned", "runs.archived", "unreadable"),
}
"""Codes that are put together out of events of runs, or of names in a loop."""


def texts(node: ast.AST) -> Iterator[str]:
    """Return the constant texts in an expression."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def arguments(call: ast.Call) -> Iterator[ast.AST]:
    return chain(call.args, (keyword.value for keyword in call.keywords))


def called(call: ast.Call) -> str:
    func = call.func
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def ends_of(tree: ast.Module, helper: ast.FunctionDef, name: str) -> set[str]:
    """Return what the functions of a module give a helper's parameter."""
    names = [each.arg for each in helper.args.args]
    found: set[str] = set()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and called(call) == helper.name and name in names:
            given = call.args[names.index(name) : names.index(name) + 1]
            found |= {text for each in given for text in texts(each)}
    return found


def codes_of(tree: ast.Module) -> Iterator[str]:
    """Return the actions that a module writes."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if RECORDS.fullmatch(called(call)):
            given = chain.from_iterable(texts(each) for each in arguments(call))
            yield from (text for text in given if CODE.fullmatch(text))
    for helper in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for part in (node for node in ast.walk(helper) if isinstance(node, ast.JoinedStr)):
            family = FAMILY.fullmatch(ast.unparse(part)[2:-1])
            ends = ends_of(tree, helper, family[2]) if family else set()
            yield from (f"{family[1]}.{end}" for end in ends if family)


def test_every_action_has_words() -> None:
    known = set(re.findall(r"^  '?([a-z_.]+)'?: '", WORDS.read_text(), re.MULTILINE))
    recording = [
        text
        for name in tracked()
        if name.startswith("builder/") and name.endswith(".py") and "/migrations/" not in name
        if "audit" in (text := (ROOT / name).read_text())
        or "account_entries" in text
        or "record(" in text
    ]
    written = {code for text in recording for code in codes_of(ast.parse(text))}

    assert {"alert.muted", "factor.added", "budget.created", "trigger.switched_on"} <= written
    assert (written | FROM_EVENTS) - known == set()
