"""The hash that tells whether a node type's code changed since its activation began."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

from engine.core.state.code_hash import code_hash

ROOT = Path(__file__).resolve().parents[4]

PLUGIN = '''
from engine.core.node_types.node_type import NodeConfig, NodeResult, NodeType

{lead}
class Tally(NodeType):
    """Counts words."""

    type = "tally"
    label = "Tally"
    icon = "sum"
    category = "data"
    Config = NodeConfig

    async def run(self, ctx, config):
        """Count."""
        words = {{word for word in ["a", "b"] if word not in {{"x", "y", "zz", "w"}}}}

        def plain(word):
            return [letter for letter in word if (lambda it: it in ("q", 1, 1.0))(letter)]

        return NodeResult(output=[plain(word) for word in words])
'''

PRINT = """
import json
import plugin
from engine.core.state.program import _code_of
from engine.core.node_types.registry import NODE_TYPES
codes = {each.type: _code_of(each) for each in NODE_TYPES.all()}
print(json.dumps({**codes, "tally": _code_of(plugin.Tally())}))
"""


def codes_in(folder: Path, seed: int, lead: str = "") -> dict[str, str]:
    """Return the hash of every type as a process of its own sees it, its code in `folder`."""
    shutil.copytree(
        ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__")
    )
    (folder / "plugin.py").write_text(PLUGIN.format(lead=lead))
    done = subprocess.run(
        [sys.executable, "-c", PRINT],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(folder)},
    )
    return dict(json.loads(done.stdout))


def test_two_processes_in_two_folders_agree_on_every_type(tmp_path: Path) -> None:
    """A restart is no change of code: not another seed, folder, address or line."""
    here = codes_in(tmp_path / "a", seed=1)
    there = codes_in(tmp_path / "elsewhere" / "b", seed=4242, lead="# moved\n" * 7)

    assert {"agent", "voting", "synthesizer", "evolution", "map", "tally"} <= here.keys()
    assert there == here


def function(text: str) -> FunctionType:
    """Return the function `f` that a text defines."""
    names: dict[str, FunctionType] = {}
    exec(text, names)
    return names["f"]


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("return x.a", "return x.b"),
        ("return 1", "return 2"),
        ("return 1", "return 1.0"),
        ("return 1", "return True"),
        ("return x in {1, 2}", "return x in {1, 3}"),
        ("return [y.a for y in x]", "return [y.b for y in x]"),
        ("return lambda: 'a'", "return lambda: 'b'"),
        ("return x == ('a', ('b',))", "return x == ('a', ('c',))"),
        (
            "try:\n  return x.a()\n except KeyError:\n  return 0",
            "try:\n  return x.a()\n except ValueError:\n  return 0",
        ),
    ],
)
def test_what_a_function_does_counts(was: str, now: str) -> None:
    """A change of what the code does is noticed, however deep it is nested."""
    before, after = (code_hash(function(f"def f(x):\n {body}\n")) for body in (was, now))

    assert before != after
    assert code_hash(function(f"\n\n\ndef f(x):\n {was}\n")) == before


def test_a_docstring_does_not_count() -> None:
    """Other words about the code are no other code."""
    first = function("def f(x):\n 'Gives x.'\n return x\n")
    second = function("def f(x):\n 'Gives what it got.'\n return x\n")
    text = function("def f(x):\n return 'Gives x.'\n")

    assert code_hash(first) == code_hash(second)
    assert code_hash(first) != code_hash(text)
