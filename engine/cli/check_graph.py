"""`check_graph FILE`: everything that can be proven about a document before it runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TextIO

from engine.check import World, check
from engine.check.remainder import UNREADABLE
from engine.cli.files import Flags, Unusable, read_documents, read_script, say
from engine.core.graph.document import GraphSpec
from engine.core.graph.problems import has_errors
from engine.local.installed import Installed, world_of


def flags() -> Flags:
    """Return the command's parser."""
    parser = Flags(prog="check_graph", description="Check a graph document without running it.")
    parser.add_argument("file", metavar="FILE", help="the document, YAML or JSON; - reads stdin")
    parser.add_argument("--script", metavar="FILE", help="what it answers for counts as known")
    parser.add_argument("--graphs", metavar="FILE", nargs="+", action="extend", default=[])
    return parser


def main(
    argv: Sequence[str] | None = None,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
    *,
    installed: Installed | None = None,
) -> int:
    """Print every problem as a JSON line; return 0 without errors, 1 with, 2 if unreadable."""
    out, err = stdout or sys.stdout, stderr or sys.stderr
    try:
        options = flags().parse_args(argv)
    except Unusable as refused:
        say(err, refused.problems)
        return 2
    try:
        script = read_script(options.script)
        documents = read_documents(options.file, options.graphs)
    except Unusable as refused:
        say(out, refused.problems)
        return 2
    say(out, documents.problems)
    if any(problem["code"] in UNREADABLE for problem in documents.problems):
        return 2
    here = installed or Installed()
    here.load()

    def world(spec: GraphSpec) -> World:
        return world_of(spec, documents.others, script, here)

    if documents.spec is None:
        say(out, documents.more(world))
        return 1
    found = check(documents.spec, world(documents.spec))
    say(out, [problem.to_json() for problem in found])
    return 1 if documents.broken or has_errors(found) else 0
