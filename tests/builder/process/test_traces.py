"""Traces: each log of a run as spans, and a collector that gets them as OpenTelemetry defines them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

from builder.base.bells import ENDED, hub
from builder.process.watch import trace_thread
from builder.process.watch.trace_thread import Traces
from builder.reads.runs import spans
from builder.reads.runs.spans import KINDS, Fact, Span, Trace, spans_of, trace_id
from tests.collector import Collector, collecting

LOGS = sorted((Path(__file__).parents[2] / "fixtures" / "recorded").glob("*.json"))


def facts_of(log: Path) -> list[Fact]:
    """Return the events of a recorded log as rows tell them."""
    return [
        (e["type"], ms(e["at"]), e.get("key"), e)
        for e in json.loads(log.read_text())["events"]
        if e["type"] in KINDS
    ]


def ms(at: str) -> int:
    return round(datetime.fromisoformat(at).timestamp() * 1000)


def trace(facts: list[Fact]) -> Trace:
    """Return the trace of a run that lasted from the first to the last of the facts."""
    root = Span(spans.span_id("r"), None, "run main", facts[0][1], facts[-1][1])
    return Trace(trace_id("r"), list(spans_of("r", facts, root)), None)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_every_log_becomes_a_tree_of_stretches(log: Path) -> None:
    """Ids are one's own, parents are there and begin no later, each activation has one span."""
    facts = facts_of(log)
    found = {span.id: span for span in trace(facts).spans}

    assert len(found) == len(trace(facts).spans)
    for span in found.values():
        assert span.until is not None
        assert span.since <= span.until
        if span.parent is not None:
            assert found[span.parent].since <= span.since
    activations = {key for kind, _, key, _ in facts if kind == "NodeStarted"}
    told = [
        s.attributes["graphwright.activation"]
        for s in found.values()
        if "graphwright.activation" in s.attributes
    ]
    assert sorted(told) == sorted(str(key) for key in activations)


def test_calls_are_named_as_the_conventions_name_them_and_carry_no_words() -> None:
    log = next(log for log in LOGS if log.stem == "work")
    found = trace(facts_of(log)).spans
    call = next(span for span in found if span.is_call)

    assert call.name == "chat local/default"
    assert call.attributes["gen_ai.operation.name"] == "chat"
    assert call.attributes["gen_ai.request.model"] == "default"
    assert call.attributes["gen_ai.usage.input_tokens"] == 10
    assert call.attributes["gen_ai.usage.output_tokens"] == 4
    assert call.until is not None
    assert call.until - call.since == 20
    assert "did first" not in repr(found)
    shaky = next(span for span in found if span.name.endswith(" shaky"))
    assert [name for name, *_ in shaky.moments] == ["attempt failed"]


def test_a_wide_run_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "MAX_SPANS", 3)
    facts: list[Fact] = [("NodeStarted", n, f"n#{n}", {"node_type": "x"}) for n in range(100)]

    found = trace(facts).spans

    assert len(found) == 4
    assert found[0].attributes["graphwright.spans_cut"] is True


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A collector on loopback."""
    with collecting() as one:
        yield one


def test_the_trace_of_a_run_that_ended_reaches_a_collector_once(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after the collector was away for a while."""
    log = next(log for log in LOGS if log.stem == "work")
    sent = trace(facts_of(log))
    exporter = OTLPSpanExporter(endpoint=f"{collector.address}/v1/traces", timeout=1)
    traces = Traces(exporter, lambda _run_id: sent)
    for _ in range(3):
        hub.hear(ENDED, {"run": "r"})

    collector.status = 400
    traces.send_all()
    collector.status = 200
    traces.send_all()
    traces.send_all()

    [(path, request)] = collector.taken
    assert path == "/v1/traces"
    [resource] = request.resource_spans
    told = {a.key: a.value.string_value for a in resource.resource.attributes}
    assert told["service.name"] == "graphwright"
    [scope] = resource.scope_spans
    assert {s.name for s in scope.spans} == {s.name for s in sent.spans}
    assert {s.trace_id.hex() for s in scope.spans} == {sent.id}
    [root] = [s for s in scope.spans if not s.parent_span_id]
    assert root.name == "run main"


def test_a_run_that_is_gone_is_passed_over(collector: Collector) -> None:
    exporter = OTLPSpanExporter(endpoint=f"{collector.address}/v1/traces", timeout=1)
    traces = Traces(exporter, lambda _run_id: None)
    hub.hear(ENDED, {"run": "gone"})

    traces.send_all()

    assert not traces._ended
    assert collector.taken == []
    assert trace_thread.MAX_WAITING >= 1_000
