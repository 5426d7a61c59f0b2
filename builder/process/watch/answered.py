"""How many requests this process answered, by kind of answer: also those that reach no application."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]  # when each began to be counted: as many lines again, and nobody asks
AREAS: Final = frozenset({"api", "admin", "static", "healthz", "readyz", "metrics"})
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

requests: Final = Counter(
    "graphwright_http_requests", "Requests that were answered.", ("area", "method", "status")
)


def count(path: str, method: str, status: int) -> None:
    """Count one answer."""
    known = method if method in METHODS else "other"
    requests.labels(area_of(path), known, str(status)).inc()


def area_of(path: str) -> str:
    """Return what a request is for: the first part of its path where we know it, else `page`."""
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return first if first in AREAS else "page"
