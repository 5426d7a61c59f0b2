"""The thread that sends the traces of ended runs to a collector, where the operator names one.

Traces tell what the logs of runs tell: one that is lost, as the collector was away, loses no fact.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from builder.base.bells import ENDED, Frame, hub
from builder.models import Run
from builder.process.rounds import Plan, Rounds, Step
from builder.reads.runs.spans import Trace, trace_of

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

ROUND_SECONDS: Final = 1.0
MAX_WAITING: Final = 10_000
"""Ended runs that are waited for by a collector that is away; the oldest are left out then."""
TIMEOUT_SECONDS: Final = 5.0
log = logging.getLogger("graphwright.traces")


class Traces:
    """Hears of runs that end in this process, and sends each one's trace once."""

    def __init__(self, exporter: SpanExporter, read: Callable[[str], Trace | None]) -> None:
        self._exporter = exporter
        self._read = read
        self._ended: deque[str] = deque(maxlen=MAX_WAITING)
        hub.subscribe(ENDED, self._hear)

    def _hear(self, frame: Frame | None) -> None:
        if frame is not None and (not self._ended or self._ended[-1] != frame["run"]):
            self._ended.append(frame["run"])

    def send_all(self) -> None:
        """Send what has ended; what the collector does not take is tried in the next round."""
        from opentelemetry.sdk.trace.export import SpanExportResult

        from builder.process.watch.otlp import as_sent

        while self._ended:
            run_id = self._ended[0]
            trace = self._read(run_id)
            if trace is not None:
                result = self._exporter.export(as_sent(trace))
                if result is not SpanExportResult.SUCCESS:
                    log.warning("the collector takes no traces; %d runs wait", len(self._ended))
                    return
            if self._ended and self._ended[0] == run_id:
                self._ended.popleft()


def trace_thread(endpoint: str) -> Rounds:
    """Return the thread, not yet started. `endpoint` is where OTLP is taken over HTTP."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    address = f"{endpoint.rstrip('/')}/v1/traces"
    traces = Traces(OTLPSpanExporter(endpoint=address, timeout=TIMEOUT_SECONDS), _read)

    def steps(_number: int) -> Sequence[Step]:
        return [traces.send_all]

    sorry = "traces could not be sent; the next round follows"
    return Rounds(Plan("traces", ROUND_SECONDS, steps, log, sorry, last_round=True))


def _read(run_id: str) -> Trace | None:
    run = Run.objects.filter(pk=run_id).first()
    return None if run is None or run.ended_at is None else trace_of(run)
