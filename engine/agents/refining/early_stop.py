"""What the composites have in common that work in passes and may stop before the last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.values.json import freeze


def stopped_output(answer: object, stopped_by: str, scores: Sequence[float] | None = None) -> Any:
    """Return an answer with why its composite stopped, and the scores of its passes if it has any.

    They stand beside the keys of an object; any other answer becomes `{answer, stopped_by, …}`.
    """
    about: dict[str, Any] = {"stopped_by": stopped_by}
    if scores is not None:
        about["scores"] = list(scores)
    kept = answer if isinstance(answer, Mapping) else {"answer": answer}
    return freeze({**kept, **about})
