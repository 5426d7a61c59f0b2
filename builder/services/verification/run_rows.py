"""What the rows of runs say, read page by page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from builder.services.verification.snapshot import Snapshot

COLUMNS: Final = (
    "id",
    "number",
    "workspace_id",
    "status",
    "started_at",
    "ended_at",
    "started_by",
    "waiting_for",
    "error",
    "spent_tokens",
    "spent_pico",
    "held_tokens",
    "held_pico",
)


@dataclass(frozen=True, slots=True)
class RunRow:
    """What the row of a run says, by column."""

    values: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The run's id."""
        return str(self.values["id"])

    @property
    def number(self) -> int | None:
        """The run's number, where its log begins."""
        found: int | None = self.values["number"]
        return found


def run_rows(
    look: Snapshot, workspace_id: str | None = None, run_id: str | None = None
) -> Iterator[RunRow]:
    """Yield the rows of runs, page by page: of all, of a workspace, or one."""
    wanted, parameters = "", []
    for column, value in (("workspace_id", workspace_id), ("id", run_id)):
        if value is not None:
            wanted += f"{column} = ? AND "
            parameters.append(value)
    sql = f"SELECT {', '.join(COLUMNS)} FROM builder_run WHERE {wanted}id"  # noqa: S608  (constants)
    for page in look.pages(sql, parameters, ""):
        for row in page:
            yield RunRow(dict(zip(COLUMNS, row, strict=True)))
