"""The folders that workflows lie in."""

from __future__ import annotations

from typing import Annotated

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Body, Listing, Text, Wire
from builder.models import Graph
from builder.services.graphs import folders

Path = Annotated[Text, Field(max_length=200)]
Ids = Annotated[
    list[Annotated[Text, Field(max_length=64)]],
    Field(min_length=1, max_length=folders.MOST_MOVED),
]


class FolderOut(Wire):
    """A folder by its path, and how many workflows lie in it or below it."""

    path: str
    workflows: int


class MoveBody(Body):
    """Which workflows go into which folder; an empty path is none."""

    graphs: Ids
    folder: Path


class RenameFolderBody(Body):
    """A folder's path, and its new one."""

    old: Path = Field(alias="from")
    new: Path = Field(alias="to")


class MovedOut(Wire):
    """How many workflows moved."""

    moved: int


class FoldersView(ApiView):
    """The folders of the current workspace."""

    @extend_schema(responses=Listing[FolderOut], operation_id="folders")
    def get(self, request: Request) -> Response:
        """List the folders by path."""
        rows = Graph.objects.active().in_workspace(self.member().workspace_id)
        found = folders.folders_of(self.visible(rows))
        results = [FolderOut(path=one.path, workflows=one.workflows) for one in found]
        return Response(Listing[FolderOut](results=results))


class MoveView(ApiView):
    """Workflows that go into a folder together."""

    @extend_schema(request=MoveBody, responses=MovedOut, operation_id="move_to_folder")
    def post(self, request: Request) -> Response:
        """Move them, all or none."""
        member = self.member()
        body = MoveBody.read(request.data)
        return Response(MovedOut(moved=folders.move(member, body.graphs, body.folder)))


class RenameFolderView(ApiView):
    """A folder under another name."""

    @extend_schema(request=RenameFolderBody, responses=MovedOut, operation_id="rename_folder")
    def post(self, request: Request) -> Response:
        """Move all that lies in it."""
        member = self.member()
        body = RenameFolderBody.read(request.data)
        return Response(MovedOut(moved=folders.rename(member, body.old, body.new)))
