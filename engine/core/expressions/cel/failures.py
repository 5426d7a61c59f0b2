"""What goes wrong with an expression: it does not compile, names something absent, or fails."""

from __future__ import annotations

from typing import Any

from engine.core.errors import EngineError, NodeError


class ExpressionInvalid(EngineError):
    """The text is no expression, path, pattern or template. `line` and `column` count from 1."""

    code = "ExpressionInvalid"

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message, detail={"line": line, "column": column})
        self.line = line
        self.column = column

    def moved(self, line: int, column: int) -> ExpressionInvalid:
        """Return the same error for a text that starts at `line`, `column` of a larger one."""
        at = self.column + column - 1 if self.line == 1 else self.column
        return ExpressionInvalid(self.message, self.line + line - 1, at)


class MissingReference(NodeError):
    """An expression names something absent: a key, a name, an index, or a part of null.

    `reference` is what the author wrote and `path` its parts, where it is known which one it was.
    """

    def __init__(
        self, message: str, *, reference: str | None = None, path: tuple[str, ...] = ()
    ) -> None:
        detail: dict[str, Any] = {} if reference is None else {"reference": reference}
        super().__init__("MissingReference", message, detail=detail)
        self.reference = reference
        self.path = path


class ExpressionFailed(NodeError):
    """An expression fails for any reason other than something absent; a retry cannot help."""

    def __init__(self, message: str) -> None:
        super().__init__("ExpressionFailed", message)
