"""What failures have in common: a message without what differs from one run to the next.

Every text is read once from left to right; of a long one the beginning counts.
"""

from __future__ import annotations

import re
from typing import Final

from engine.core.budgets.refusals import BREACH_CODES
from engine.core.errors import UNDECIDED
from engine.core.values.json import digest

VERSION: Final = "v1"
"""Of the rule below: causes that were counted under another one stay as they are."""
MAX_MESSAGE: Final = 2_000
MAX_CODE: Final = 128
MAX_NODE: Final = 200
REJECTED: Final = "ApprovalRejected"
"""Of what a person refused, and of what nobody decided in time."""

CALLED: Final = "SubgraphFailed"
"""Of a step whose called workflow did not complete: the message names the workflow, then why."""
_BELOW: Final = re.compile(r"graph '[^']*' ended as failed: (\w+): ")
_QUOTED: Final = re.compile(r'"[^"]*"|“[^“”]*”|`[^`]*`|(?<!\w)\'[^\']*\'(?!\w)')
_PIECE: Final = re.compile(r"[^\s,;()\[\]{}<>=]+")
_REPEATED: Final = re.compile(r"#(?:[\s,;]+#)+")
_ENDS: Final = ".:!?"
_MARKS: Final = ("@", "://")


def alike(message: str) -> str:
    """Return the message with `#` for each quote, number, id, time and address in it."""
    text = _QUOTED.sub("#", message[:MAX_MESSAGE])
    return _REPEATED.sub("#", " ".join(_PIECE.sub(_plain, text).split()))


def cause_id(workspace: str, graph: str, node: str, code: str, message: str) -> str:
    """Return the id of the cause that a failure counts for; `graph` is the workflow's slug.

    What people refuse at a node is one cause, whatever they gave as the reason, and so is a budget
    that leaves no room, however much of it was used.
    """
    is_one = is_rejection(code, message) or is_breach(code)
    said = "" if is_one else alike(message)
    return digest([VERSION, workspace, graph, node, code, said])


def is_rejection(code: str, message: str) -> bool:
    """Return whether a person said no, which is a decision and not a failure of the workflow.

    Here, or in a workflow that was called and failed with it.
    """
    told, said = as_said(code, message)
    return told == REJECTED and said != UNDECIDED


def as_said(code: str, message: str) -> tuple[str, str]:
    """Return the code and the message of a failure; of what a person refused below, those from there.

    Storey by storey: what stands further on in a message may be anybody's words.
    """
    found, at = code, 0
    while found == CALLED and (storey := _BELOW.match(message, at)):
        found, at = storey[1], storey.end()
    is_no = found == REJECTED and message[at:] != UNDECIDED
    return (REJECTED, message[at:]) if is_no else (code, message)


def is_breach(code: str) -> bool:
    """Return whether a budget left no room."""
    return code in BREACH_CODES.values()


def _plain(match: re.Match[str]) -> str:
    piece = match[0]
    word = piece.rstrip(_ENDS)
    differs = any(char.isdigit() for char in word) or any(mark in word for mark in _MARKS)
    return f"#{piece[len(word) :]}" if differs else piece
