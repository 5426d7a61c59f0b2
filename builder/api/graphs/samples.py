"""Samples of a graph: named inputs for its test runs."""

from __future__ import annotations

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Body, Listing, Text, Wire, moment
from builder.base.errors import NotFound
from builder.models import Sample
from builder.services.graphs import samples

SampleName = Annotated[Text, Field(min_length=1, max_length=80)]


class SampleBody(Body):
    """A new sample."""

    name: SampleName
    input: Any = None


class SampleChange(Body):
    """Another name or another input; what is left out stays."""

    name: SampleName | None = None
    input: Any = None

    def fields(self) -> dict[str, Any]:
        """Return what the caller named."""
        given = self.model_fields_set
        named = {"name": self.name} if self.name is not None else {}
        return {**named, **({"input": self.input} if "input" in given else {})}


class SampleOut(Wire):
    """A named input."""

    id: str
    name: str
    input: Any
    changed_at: str


class SamplesView(ApiView):
    """The samples of a graph."""

    @extend_schema(responses=Listing[SampleOut], operation_id="samples")
    def get(self, request: Request, graph_id: object) -> Response:
        """List the samples by name."""
        rows = Sample.objects.filter(graph=self.graph(graph_id))
        return Response(Listing[SampleOut](results=[sample_out(row) for row in rows]))

    @extend_schema(request=SampleBody, responses={201: SampleOut}, operation_id="save_sample")
    def post(self, request: Request, graph_id: object) -> Response:
        """Keep an input under a new name."""
        graph = self.graph(graph_id)
        body = SampleBody.read(request.data)
        member = self.member_of(graph.workspace_id)
        sample = samples.save_sample(member, graph, name=body.name, value=body.input)
        return Response(sample_out(sample), status=201)


class SampleView(ApiView):
    """One sample."""

    @extend_schema(request=SampleChange, responses=SampleOut, operation_id="change_sample")
    def patch(self, request: Request, graph_id: object, sample_id: object) -> Response:
        """Rename it, or put another input into it."""
        graph, sample = self.graph(graph_id), self._sample(graph_id, sample_id)
        member = self.member_of(graph.workspace_id)
        changed = samples.change_sample(member, sample, SampleChange.read(request.data).fields())
        return Response(sample_out(changed))

    @extend_schema(responses={204: None}, operation_id="delete_sample")
    def delete(self, request: Request, graph_id: object, sample_id: object) -> Response:
        """Delete it."""
        graph, sample = self.graph(graph_id), self._sample(graph_id, sample_id)
        samples.delete_sample(self.member_of(graph.workspace_id), sample)
        return no_content()

    def _sample(self, graph_id: object, sample_id: object) -> Sample:
        rows = self.visible(Sample.objects.all())
        found = rows.filter(graph=str(graph_id), pk=str(sample_id)).first()
        if found is None:
            raise NotFound("no such sample", code="SampleNotFound")
        return found


def sample_out(sample: Sample) -> SampleOut:
    """Return a sample as it is on the wire."""
    return SampleOut(
        id=sample.pk, name=sample.name, input=sample.input, changed_at=moment(sample.changed_at)
    )
