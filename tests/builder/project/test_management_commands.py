"""`run_graph` and `check_graph` as other Django code calls them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.contract.harness import doc, output, question


@pytest.fixture
def graph(tmp_path: Path) -> str:
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(doc([output("o", reads=["input"], value="input")])))
    return str(file)


@pytest.mark.parametrize(
    ("words", "named"),
    [(["--input", "-5"], {}), (["--input=-5"], {}), ([], {"input": "-5"}), ([], {"input": -5})],
)
def test_run_graph_is_called_with_words_or_names(
    graph: str, words: list[str], named: dict[str, Any]
) -> None:
    """S30: Other code gets the same report, on the stream that it gave."""
    out, err = io.StringIO(), io.StringIO()
    call_command("run_graph", graph, *words, stdout=out, stderr=err, **named)

    report = json.loads(out.getvalue())
    assert (report["status"], report["result"]) == ("completed", -5)
    assert "memory" in err.getvalue()


def test_the_exit_status_reaches_the_caller(graph: str, tmp_path: Path) -> None:
    """S30."""
    asks = tmp_path / "asks.json"
    asks.write_text(json.dumps({**doc([question("q")]), "id": "asks"}))
    with pytest.raises(SystemExit) as waiting:
        call_command("run_graph", str(asks), graphs=[graph], stdout=io.StringIO())
    with pytest.raises(SystemExit) as unread:
        call_command("check_graph", str(tmp_path / "none"), stdout=io.StringIO())
    with pytest.raises(CommandError):
        call_command("check_graph")

    assert (waiting.value.code, unread.value.code) == (3, 2)


def test_check_graph_writes_to_the_stream_it_is_given(graph: str) -> None:
    """C190: Check writes to the stream that it is given."""
    out = io.StringIO()
    call_command("check_graph", graph, stdout=out)

    assert "NoHumanDescription" in out.getvalue()
