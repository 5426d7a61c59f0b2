"""What installed packages offer by entry points. One that is broken never stops the others.

A package that cannot be imported, or whose offer cannot be registered, is logged with the name of
the package and kept in `broken()`; everything else is there as usual.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Any

log = logging.getLogger("graphwright.plugins")


@dataclass(frozen=True, slots=True)
class BrokenPlugin:
    """An entry point that could not be used: whose it is, what it names, and why."""

    package: str
    group: str
    name: str
    value: str
    reason: str

    def __str__(self) -> str:
        """The whole as one line for people."""
        return f"{self.package}: {self.group} {self.name} = {self.value}: {self.reason}"


_broken: dict[tuple[str, str, str], BrokenPlugin] = {}


def load_each(points: Iterable[EntryPoint], take: Callable[[EntryPoint, Any], None]) -> None:
    """Load each entry point and hand it to `take`; what raises is logged and kept as broken."""
    for point in points:
        try:
            take(point, point.load())
        except (Exception, SystemExit) as error:  # noqa: BLE001  foreign code: reported, never fatal
            _reject(point, error)
        else:
            _broken.pop(_key(point), None)


def broken() -> list[BrokenPlugin]:
    """Return the plug-ins that could not be used so far, in the order in which they were met."""
    return list(_broken.values())


def _reject(point: EntryPoint, error: BaseException) -> None:
    package = "?" if point.dist is None else point.dist.name
    reason = f"{type(error).__name__}: {error}"
    found = BrokenPlugin(package, point.group, point.name, point.value, reason)
    _broken[_key(point)] = found
    log.error("a plug-in is left out: %s", found, exc_info=error)


def _key(point: EntryPoint) -> tuple[str, str, str]:
    return (point.group, point.name, point.value)
