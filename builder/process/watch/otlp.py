"""A trace in the form that OpenTelemetry's exporters send."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags

from builder.reads.runs.spans import Span, Trace
from engine import __version__

NS: Final = 1_000_000
"""Nanoseconds in a millisecond."""
RESOURCE: Final = Resource.create({"service.name": "graphwright", "service.version": __version__})
SCOPE: Final = InstrumentationScope("graphwright", __version__)


def as_sent(trace: Trace) -> Sequence[ReadableSpan]:
    """Return the spans; a child run's first one is linked to the run that asked for it."""
    links = [] if trace.parent is None else [Link(_context(*trace.parent))]
    return [_span(trace.id, span, links if span.parent is None else []) for span in trace.spans]


def _span(trace_id: str, span: Span, links: Sequence[Link]) -> ReadableSpan:
    error = {"error.type": span.error} if span.error else {}
    return ReadableSpan(
        name=span.name,
        context=_context(trace_id, span.id),
        parent=None if span.parent is None else _context(trace_id, span.parent),
        resource=RESOURCE,
        attributes={**span.attributes, **error},
        events=[Event(name, told, at * NS) for name, at, told in span.moments],
        links=links,
        kind=SpanKind.CLIENT if span.is_call else SpanKind.INTERNAL,
        status=Status(StatusCode.ERROR if span.error else StatusCode.UNSET),
        start_time=span.since * NS,
        end_time=max(span.since, span.until or span.since) * NS,
        instrumentation_scope=SCOPE,
    )


def _context(trace_id: str, span_id: str) -> SpanContext:
    return SpanContext(int(trace_id, 16), int(span_id, 16), False, TraceFlags(TraceFlags.SAMPLED))
