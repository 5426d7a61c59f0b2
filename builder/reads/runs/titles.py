"""What runs are called in lists: the first line of what they were started with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from builder.base.run_text import BETWEEN, title_of
from builder.models import Run
from builder.reads import event_log as log


def titles_of(runs: Sequence[Run]) -> dict[str, str]:
    """Return the titles of runs by id, in one query; of one without input it is empty."""
    started = log.starts_of(runs)
    return {run.pk: title_of(started.get(run.pk, {}).get("input")) for run in runs}


def titles_by_id(ids: Iterable[str]) -> dict[str, str]:
    """Return the titles of runs that are known by their ids, in two queries."""
    return titles_of(list(Run.objects.filter(pk__in=set(ids)).only("pk", "number")))


def beside(title: str, said: str) -> str:
    """Return a run's title to stand beside other words, empty where they say it already."""
    spoken = said.casefold()
    told = all(_is_word(part, spoken) for part in title.casefold().split(BETWEEN))
    return "" if told else title


def _is_word(part: str, said: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", said) is not None
