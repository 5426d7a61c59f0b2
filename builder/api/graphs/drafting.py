"""Drafts from words: which models can, asking one, and what it drafted. Nothing here changes a workflow."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.graphs.drafting_wire import (
    AskBody,
    CapableModels,
    CloseBody,
    ProposalOut,
    capable_out,
    proposal_out,
)
from builder.api.http.view import ApiView
from builder.api.http.wire import Listing
from builder.api.workspace.budgets import budget_out
from builder.base.errors import NotFound
from builder.models import DraftProposal, Graph
from builder.services.graphs.drafting import proposals
from builder.services.graphs.drafting.asking import ask, prompt_size
from builder.services.graphs.drafting.capable import capable_models
from builder.services.graphs.drafting.paying import paying_budget
from builder.services.graphs.drafting.prompts import MOST_WORDS
from builder.services.graphs.drafts import document_of
from builder.services.permissions import Right, may, require


class _View(ApiView):
    def _graph(self, graph_id: str | None) -> Graph | None:
        return self.graph(graph_id) if graph_id else None

    def _proposal(self, proposal_id: object) -> DraftProposal:
        rows = self.visible(DraftProposal.objects.all())
        found = rows.filter(pk=str(proposal_id)).first()
        if found is None:
            raise NotFound("no such draft", code="ProposalNotFound")
        return found


class DescribeView(_View):
    """Drafts from words."""

    query_names = frozenset({"graph"})

    @extend_schema(responses=Listing[ProposalOut], operation_id="proposals")
    def get(self, request: Request) -> Response:
        """List the caller's drafts that wait for them: of a graph, or of new workflows."""
        graph = self._graph(self.text("graph"))
        rows = self.visible(DraftProposal.objects.open()).filter(by=self.user, graph=graph)
        rows = rows.in_workspace(self.member().workspace_id)
        return Response(Listing[ProposalOut](results=[proposal_out(row) for row in rows[:5]]))

    @extend_schema(request=AskBody, responses={201: ProposalOut}, operation_id="describe")
    def post(self, request: Request) -> Response:
        """Ask a model for a draft; it is written while the caller looks again."""
        member = self.member()
        body = AskBody.read(request.data)
        graph = self._graph(body.graph)
        if graph is not None:
            member = self.member_of(graph.workspace_id)
        proposal = ask(member, graph, words=body.words, model=body.model)
        return Response(proposal_out(proposal), status=201)


class DescribeModelsView(_View):
    """The models that can draft."""

    query_names = frozenset({"graph"})

    @extend_schema(responses=CapableModels, operation_id="capable_models")
    def get(self, request: Request) -> Response:
        """List them with what a draft costs, for a new workflow or a change of a graph's."""
        member = self.member()
        graph = self._graph(self.text("graph"))
        if graph is not None:
            member = self.member_of(graph.workspace_id)
        require(member, Right.VIEW)
        size = prompt_size(member.workspace_id, "", {} if graph is None else document_of(graph))
        paying = paying_budget(member)
        return Response(
            CapableModels(
                models=[capable_out(each) for each in capable_models(member, size)],
                may_connect=may(member, Right.ADMIN),
                budget=None if paying is None else budget_out(paying),
                most_words=MOST_WORDS,
            )
        )


class ProposalView(_View):
    """One draft from words."""

    @extend_schema(responses=ProposalOut, operation_id="proposal")
    def get(self, request: Request, proposal_id: object) -> Response:
        """Return where it stands, and once it is ready what it says."""
        return Response(proposal_out(self._proposal(proposal_id)))


class StopProposalView(_View):
    """Ending the writing of a draft."""

    @extend_schema(request=None, responses={202: ProposalOut}, operation_id="stop_proposal")
    def post(self, request: Request, proposal_id: object) -> Response:
        """Stop asking the model; what was spent is spent."""
        proposal = self._proposal(proposal_id)
        proposals.stop(self.member_of(proposal.workspace_id), proposal)
        return Response(proposal_out(proposal), status=202)


class CloseProposalView(_View):
    """Putting a draft away."""

    @extend_schema(request=CloseBody, responses=ProposalOut, operation_id="close_proposal")
    def post(self, request: Request, proposal_id: object) -> Response:
        """Note that parts of it were taken, or that it was dismissed."""
        proposal = self._proposal(proposal_id)
        body = CloseBody.read(request.data)
        member = self.member_of(proposal.workspace_id)
        return Response(proposal_out(proposals.close(member, proposal, taken=body.taken)))
