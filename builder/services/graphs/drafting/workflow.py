"""The workflow that drafts workflows: kept put away in each workspace, so that every draft is a run.

A run brings what a call of a model needs: a hold before it and a settlement after it, the budgets of
the workspace, a time limit, a stop, a way back after a crash, and a row on every board.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from builder.models import Graph, GraphVersion, Workspace
from builder.services.graphs.drafting.conversation import AGENT
from engine.core.graph.document import GraphSpec, parse_document

SLUG: Final = "Describe_it"
"""As no name that people give makes it: `slug_of` knows small letters and `-` only."""
HANDLER: Final = "graphwright.describe"
ANSWER_TOKENS: Final = 8_192
"""Tokens of one answer: some twenty nodes with long prompts."""
CALL_MS: Final = 180_000
RUN_MS: Final = 300_000
"""How long a draft may take, its repairs included."""


def document() -> dict[str, Any]:
    """Return the workflow: one node, which holds the conversation."""
    return {
        "graphwright": 1,
        "id": SLUG,
        "name": "Describe it",
        "description": "Drafts a workflow, or a change of one, from words.",
        "limits": {"max_execution_time_ms": RUN_MS},
        "agents": [{"id": AGENT, "max_output_tokens": ANSWER_TOKENS}],
        "nodes": [
            {
                "id": "write",
                "type": "function",
                "label": "Write the draft",
                "read_keys": ["input"],
                "config": {"handler": HANDLER},
                "failure_policy": {"max_retries": 1, "timeout_ms": CALL_MS},
            }
        ],
        "edges": [{"id": "e1", "source": "__start__", "target": "write"}],
    }


def drafting_version(workspace_id: str) -> tuple[GraphVersion, GraphSpec]:
    """Return what a draft runs in the workspace, made at the first time and after an upgrade."""
    text = document()
    spec, problems = parse_document(text)
    assert spec is not None, problems
    with transaction.atomic():
        Workspace.objects.select_for_update().get(pk=workspace_id)
        known = GraphVersion.objects.filter(
            graph__workspace=workspace_id, graph__slug=SLUG, hash=spec.hash, is_draft=True
        ).first()
        return known or _new_version(workspace_id, text, spec.hash), spec


def _new_version(workspace_id: str, text: dict[str, Any], hash: str) -> GraphVersion:
    graph = Graph.objects.create(
        workspace_id=workspace_id,
        slug=SLUG,
        name=text["name"],
        description=text["description"],
        archived_at=timezone.now(),
    )
    return GraphVersion.objects.create(
        graph=graph, is_draft=True, revision=1, document=text, hash=hash
    )
