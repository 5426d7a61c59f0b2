"""What a person can do about a model that does not answer, by what the failure says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.errors import NodeError, ProviderError

BY_STATUS: Final[Mapping[int, str]] = {
    400: "The server does not take the question as it was sent: look at the protocol, at what is"
    " sent with every question, and at what the model is said to be able to do.",
    401: "The key was refused: set another one.",
    402: "The account has no credit: add some at the provider, or use another key.",
    403: "The key may not use this model: allow it at the provider, or set another key.",
    404: "There is no such model at this address: look at its name, at the address and the protocol.",
    405: "The address takes no questions: look whether it ends where its API begins, such as in /v1.",
    429: "The provider counts too many questions, or its account has no credit: wait, or look there.",
}
REDIRECTED: Final = (
    "The address leads to another one, which is not followed: remove the server and add that one."
)
UNREACHED: Final = "Look at the address, and whether it can be reached from here."
OWN_SERVER: Final = ": is the server running?"
"""What is asked of a server that does not answer, and is no question of a provider on the internet."""
CUT_OFF: Final = "It is on the internet: look whether this server may reach it, then try again."
THEIRS: Final = "The fault is the provider's: try again later."
FORBIDDEN: Final = (
    "The address leads where nothing may be called from here: use another one, or ask the operator"
    " of this installation to allow it by EGRESS_ALLOW."
)


def with_cure(error: NodeError, *, hosted: bool = False) -> str:
    """Return what went wrong and what can be done about it, in sentences.

    The address of a `hosted` provider is nobody's to look at here.
    """
    said = error.message.rstrip(". ")
    said = said.removesuffix(OWN_SERVER) if hosted else said
    said = said if said.endswith(("?", "!")) else f"{said}."
    cure = _cure(error)
    if hosted and cure == UNREACHED:
        cure = CUT_OFF
    return said if cure is None else f"{said} {cure}"


def _cure(error: NodeError) -> str | None:
    if error.code == "EgressRefused":
        return FORBIDDEN
    if not isinstance(error, ProviderError):
        return None
    if not error.sent:
        return None if error.status is not None else UNREACHED
    if error.status is None:
        return None
    if 300 <= error.status < 400:
        return REDIRECTED
    return THEIRS if error.status >= 500 else BY_STATUS.get(error.status)
