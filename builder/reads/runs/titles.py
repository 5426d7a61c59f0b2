"""What runs are called in lists: the first line of what they were started with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from builder.models import Run
from builder.reads import event_log as log

MAX_TITLE: Final = 120
MAX_PARTS: Final = 3
"""Values of an input with several fields that stand in a title."""
MAX_VALUES: Final = 30
BETWEEN: Final = " · "


def titles_of(runs: Sequence[Run]) -> dict[str, str]:
    """Return the titles of runs by id, in one query; of one without input it is empty."""
    started = log.starts_of(runs)
    return {run.pk: title_of(started.get(run.pk, {}).get("input")) for run in runs}


def titles_by_id(ids: Iterable[str]) -> dict[str, str]:
    """Return the titles of runs that are known by their ids, in two queries."""
    return titles_of(list(Run.objects.filter(pk__in=set(ids)).only("pk", "number")))


def title_of(value: Any) -> str:
    """Return the first line of a text, or the first short values of an object, at most 120 letters."""
    parts = islice(_lines(value), MAX_PARTS if isinstance(value, Mapping) else 1)
    return BETWEEN.join(parts)[:MAX_TITLE]


def beside(title: str, said: str) -> str:
    """Return a run's title to stand beside other words, empty where they say it already."""
    spoken = said.casefold()
    told = all(_is_word(part, spoken) for part in title.casefold().split(BETWEEN))
    return "" if told else title


def _is_word(part: str, said: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", said) is not None


def _lines(value: Any) -> Iterator[str]:
    values = value.values() if isinstance(value, Mapping) else [value]
    for each in islice(values, MAX_VALUES):
        if isinstance(each, list) and each:
            each = each[0]
        if isinstance(each, bool) or not isinstance(each, str | int | float):
            continue
        line = next((line.strip() for line in str(each)[:2_000].splitlines() if line.strip()), "")
        if line:
            yield line[:MAX_TITLE]
