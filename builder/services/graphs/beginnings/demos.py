"""What a new workspace starts with: three published graphs that run on the built-in model."""

from __future__ import annotations

from builder.library.demos import DEMOS, demo_document
from builder.models import Graph, Membership
from builder.services.graphs.graphs import import_graph, publish


def add_demos(member: Membership) -> list[Graph]:
    """Import and publish the demos into the member's workspace; return them, last one first.

    Raises what `import_graph` and `publish` raise; needs the engine for its checks.
    """
    made = []
    for name in reversed(DEMOS):
        graph = import_graph(member, demo_document(name))
        publish(member, graph, revision=graph.revision, note="Ready to run.")
        made.append(graph)
    return made
