"""Skills over HTTP: what agents may learn, and who asks for it by name."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Listing, Wire
from builder.api.tools.listing import Used
from builder.services.tools.users import SkillUsers
from engine.agents.skills import SKILLS


class SkillOut(Wire):
    """A skill: `description` is told to every model that may learn it, `instructions` and `tools`
    once it did by calling `tool`. `characters` is what the instructions add to its conversation.

    `package` brought it, empty for one that is registered in this process. `graphs` are those whose
    live version names it, `agents` those that list it.
    """

    name: str
    tool: str
    description: str
    instructions: str
    tools: list[str]
    characters: int
    package: str
    graphs: list[Used]
    agents: list[str]


class SkillsView(ApiView):
    """What agents may learn."""

    @extend_schema(responses=Listing[SkillOut], operation_id="skills")
    def get(self, request: Request) -> Response:
        """List the skills of the installation, with who of the workspace names them."""
        users = SkillUsers(self.member().workspace_id)
        found = [
            SkillOut(
                name=skill.name,
                tool=skill.tool_name,
                description=skill.description,
                instructions=skill.instructions,
                tools=list(skill.tools),
                characters=len(skill.instructions),
                package=package,
                graphs=[Used(id=key, name=name) for key, name in users.graphs(skill.tool_name)],
                agents=users.agents(skill.tool_name),
            )
            for skill, package in SKILLS.listed()
        ]
        return Response(Listing[SkillOut](results=found))
