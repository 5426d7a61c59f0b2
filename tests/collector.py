"""A collector of traces on loopback, which reads them as OpenTelemetry's own definition has them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Collector:
    """What was sent to `address`; with another `status` than 200 nothing is taken."""

    address: str
    status: int = 200
    taken: list[tuple[str, Any]] = field(default_factory=list)

    def spans(self) -> list[Any]:
        """Return all spans that were taken."""
        return [
            span
            for _path, request in list(self.taken)
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@contextmanager
def collecting() -> Iterator[Collector]:
    """Run a collector while the block lasts."""
    one = Collector("")

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if one.status == 200:
                one.taken.append((self.path, ExportTraceServiceRequest.FromString(body)))
            self.send_response(one.status)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Taker) as server:
        one.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield one
        finally:
            server.shutdown()
            thread.join()
