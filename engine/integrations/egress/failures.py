"""Why nothing left, or nothing came back."""

from __future__ import annotations

from typing import Any

from engine.core.errors import NodeError


class EgressRefused(NodeError):
    """The target, a header or the answer is not allowed; asking again cannot help.

    Of an address `detail` says who can open it (`opened_by`, see `origins.opener`).
    """

    def __init__(self, message: str, *, detail: dict[str, Any] | None = None) -> None:
        super().__init__("EgressRefused", message, detail=detail)


class HttpUnavailable(NodeError):
    """The other side could not be reached or did not answer in time.

    `sent` says whether the request may have arrived: only then is its effect unknown.
    """

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__("HttpUnavailable", message, retryable=True, detail={"sent": sent})
        self.sent = sent
