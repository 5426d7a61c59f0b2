"""The fields by which the inbox can be filtered."""

from __future__ import annotations

from typing import Literal

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Listing, Wire
from builder.reads.inbox.offered import offered


class OfferedFieldOut(Wire):
    """A field that open items show; `unit` of a number, `choices` of one that takes one of some."""

    name: str
    kind: Literal["number", "text", "yes_no", "one_of"]
    title: str
    unit: str
    choices: list[str]


class OfferedFieldsView(ApiView):
    """What `where` may name."""

    @extend_schema(responses=Listing[OfferedFieldOut], operation_id="inbox_fields")
    def get(self, request: Request) -> Response:
        """List the fields that workflows declare and open items of the workspace show, by name."""
        results = [
            OfferedFieldOut(
                name=one.name,
                kind=one.kind,
                title=one.title,
                unit=one.unit,
                choices=list(one.choices),
            )
            for one in offered(self.member().workspace_id)
        ]
        return Response(Listing[OfferedFieldOut](results=results, total=len(results)))
