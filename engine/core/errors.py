"""Every error the engine raises on purpose. One tree:

EngineError                 has a stable `code`; `retryable` says whether a new attempt can help
├── NodeError               a node failed (codes of docs/CONTRACT.md); raised by node code too
│   ├── ProviderError       a model provider refused or failed (`retry_after_ms`)
│   │   └── ProviderFault   what it sent is no answer, or one without end
│   ├── ToolFailed          a tool reported an error
│   └── OutcomeUnknown      a call was sent and nobody knows what became of it
├── GraphHasErrors          a document with check errors was about to be used
├── RequestRefused          a caller asked for something that cannot be done (answers, starts)
└── StoreError              Fenced, RunNotFound, RunUnreadable, StorageFull, StoreUnavailable,
                            StoreUnusable, StoreInUse

ControlFlow(BaseException)  Suspended, Cancelled, BudgetStop: never caught by `except Exception`
"""

from __future__ import annotations

from typing import Any


class EngineError(Exception):
    """Base of all deliberate errors. `code` is stable and part of the contract."""

    code = "EngineError"
    retryable = False

    def __init__(self, message: str, *, detail: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail or {}


class NodeError(EngineError):
    """A node's attempt failed with `code`. Node code raises it for failures worth naming.

    `reported` is the other side's own word that it will not: then a new attempt is made only where
    the author of the graph asked for some (`max_retries`).
    """

    reported = False

    def __init__(
        self,
        code: str,
        message: str,
        *,
        retryable: bool = False,
        detail: dict[str, Any] | None = None,
        retry_after_ms: int | None = None,
    ) -> None:
        super().__init__(message, detail=detail)
        self.code = code
        self.retryable = retryable
        self.retry_after_ms = retry_after_ms


class ProviderError(NodeError):
    """A model provider answered with an error or not at all.

    `status` is the HTTP status, None for a broken connection. 408, 429 and 5xx and broken
    connections become `ProviderUnavailable` (retryable), everything else `ProviderRejected`.
    `sent` is False where no server was reached: nothing can have been charged.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None,
        retry_after_ms: int | None = None,
        sent: bool = True,
    ) -> None:
        retryable = status is None or status in (408, 429) or status >= 500
        super().__init__(
            "ProviderUnavailable" if retryable else "ProviderRejected",
            message,
            retryable=retryable,
            retry_after_ms=retry_after_ms,
            detail={} if status is None else {"status": status},
        )
        self.status = status
        self.sent = sent
        if not sent:
            self.detail["sent"] = False


class ProviderFault(ProviderError):
    """A provider did not keep to the protocol: `ProviderOverrun` or `ProviderUnreadable`.

    It is asked once: another try would cost as much and end the same way.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message, status=None)
        self.code = code
        self.retryable = False


class ToolFailed(NodeError):
    """A tool reported an error. Inside a model conversation the model is told instead."""

    def __init__(self, message: str, *, detail: dict[str, Any] | None = None) -> None:
        super().__init__("ToolFailed", message, retryable=True, detail=detail)


class OutcomeUnknown(NodeError):
    """A call was sent and nobody knows what became of it, such as a broken connection."""

    def __init__(self, message: str, *, detail: dict[str, Any] | None = None) -> None:
        super().__init__("OutcomeUnknown", message, retryable=True, detail=detail)


class GraphHasErrors(EngineError):
    """The document has problems of severity `error`; `problems` lists all of them."""

    code = "GraphHasErrors"

    def __init__(self, problems: list[Any]) -> None:
        first = problems[0] if problems else None
        super().__init__(f"the graph has {len(problems)} errors; first: {first}")
        self.problems = problems


class RequestRefused(EngineError):
    """A request cannot be granted. `code` is one of the contract's request codes."""

    def __init__(self, code: str, message: str, *, detail: dict[str, Any] | None = None) -> None:
        super().__init__(message, detail=detail)
        self.code = code


class StoreError(EngineError):
    """The store refused a transition."""

    code = "StoreError"


class Fenced(StoreError):
    """Another worker has claimed the run since; nothing was written."""

    code = "Fenced"


class RunElsewhere(StoreError):
    """Another worker owns the run, and is alive."""

    code = "RunElsewhere"


class StorageFull(StoreError):
    """There is no room to write; nothing was recorded. It goes on once there is."""

    code = "StorageFull"
    retryable = True


class StoreUnavailable(StoreError):
    """The database is away, locked or cannot be written. It goes on once it answers."""

    code = "StoreUnavailable"
    retryable = True


class StoreUnusable(StoreError):
    """The file that was named cannot keep runs; the message says why, and what helps."""

    code = "StoreUnusable"


class StoreInUse(StoreError):
    """Another process has the file open; it can be had when that one ends."""

    code = "StoreInUse"
    retryable = True


class RunNotFound(StoreError):
    """No such run."""

    code = "RunNotFound"


class RunUnreadable(StoreError):
    """What is installed or at hand here cannot take the run's log or its document."""

    code = "RunUnreadable"


class ControlFlow(BaseException):
    """Leaves node code on purpose; not an `Exception`, so that node code cannot swallow it."""


class Suspended(ControlFlow):
    """The activation waits (person, children, timer, child run); its code runs again later."""


class Cancelled(ControlFlow):
    """The run ended or the claim was lost while the node ran."""


class BudgetStop(ControlFlow):
    """A budget would be or was passed. `code` names the level, `detail` limit, used and asked."""

    def __init__(self, code: str, message: str, *, detail: dict[str, Any]) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.detail = detail


OWN_FAULTS = frozenset({"NondeterministicNode"})
"""Failures of a call that are the node's own: a composite never counts them as its callee's."""
UNDECIDED = "nobody decided in time"
"""The message of an `ApprovalRejected` that nobody said: its deadline passed."""
