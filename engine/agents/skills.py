"""Skills: capabilities that an agent unlocks itself by calling `learn_<name>` (row V10).

    @skill("pdf", tools=("read_pdf",))
    def pdf() -> str:
        \"\"\"Read PDF files. (This docstring is what the model sees before it learns.)\"\"\"
        return "Call read_pdf with the path of the file; pages count from 1."

Packages offer theirs under the entry point group `graphwright.skills`: a `Skill`, or a module that
registers some. A graph only ever looks names up here.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Final, TypeVar

from engine.core.node_types.plugins import load_each
from engine.core.node_types.registry import RegistrationError
from engine.core.values.json import JsonObject
from engine.integrations.models.chat import ToolOffer
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES

PREFIX: Final = "learn_"
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,57}\Z")
_WRITING: Final = frozenset({"memory_write"})

Author = TypeVar("Author", bound=Callable[[], str])


@dataclass(frozen=True, slots=True)
class Skill:
    """What an agent may learn: `description` before, `instructions` and `tools` after.

    `tools` are written as on an agent: `name`, `source/name`, `source/*`, or another skill.
    """

    name: str
    description: str
    instructions: str
    tools: tuple[str, ...] = ()

    @property
    def tool_name(self) -> str:
        """The name under which models and documents call it."""
        return f"{PREFIX}{self.name}"

    @property
    def offer(self) -> ToolOffer:
        """The skill as a model sees it before it is learned."""
        parameters: JsonObject = {"type": "object", "properties": {}}
        return ToolOffer(self.tool_name, self.description, parameters)


class Skills:
    """Skills by the name of their tool; `group` is loaded at first look-up.

    All of them are in the default set of every agent of the installation (row V8).
    """

    def __init__(self, skills: Iterable[Skill] = (), *, group: str | None = None) -> None:
        self._skills: dict[str, Skill] = {}
        self._packages: dict[str, str] = {}
        self._group = group
        for each in skills:
            self.add(each)

    def add(self, new: Skill) -> Skill:
        """Register a skill and return it; the same one again changes nothing.

        Raises `RegistrationError` for a bad or taken name, blank words, and control tools.
        """
        if not _NAME.match(new.name):
            raise RegistrationError(f"{new.name!r} is no skill name: letters, digits, _ and -")
        if not new.description.strip() or not new.instructions.strip():
            raise RegistrationError(f"skill {new.name!r} needs a description and instructions")
        for tool in new.tools:
            if tool.rpartition("/")[2] in RESERVED_TOOL_NAMES | _WRITING:
                raise RegistrationError(f"skill {new.name!r} may not unlock {tool!r}")
        if self._skills.setdefault(new.tool_name, new) != new:
            raise RegistrationError(f"skill {new.name!r} is already registered")
        return new

    def skill(self, name: str, *, tools: Iterable[str] = ()) -> Callable[[Author], Author]:
        """Return a decorator: the docstring is the description, the text returned the instructions.

        The function is called once, now. Raises `RegistrationError`.
        """

        def register(author: Author) -> Author:
            self.add(Skill(name, inspect.getdoc(author) or "", author(), tuple(tools)))
            return author

        return register

    def find(self, tool_name: str) -> Skill | None:
        """Return the skill that `learn_<name>` unlocks, None if there is none."""
        return self._loaded().get(tool_name)

    def names(self) -> list[str]:
        """Return `learn_<name>` of every skill, in the order of registration."""
        return list(self._loaded())

    def unlocks(self) -> dict[str, tuple[str, ...]]:
        """Return the tools behind each `learn_<name>`, for the checks."""
        return {name: found.tools for name, found in self._loaded().items()}

    def listed(self) -> list[tuple[Skill, str]]:
        """Return every skill with the package that brought it, "" where none did."""
        return [(each, self._packages.get(name, "")) for name, each in self._loaded().items()]

    def _loaded(self) -> dict[str, Skill]:
        group, self._group = self._group, None
        if group:
            self._packages = dict.fromkeys(self._skills, "")
            load_each(entry_points(group=group), self._add_entry)
        return self._skills

    def _add_entry(self, point: EntryPoint, found: object) -> None:
        """Register what an entry point names; what its module registered meanwhile is its too."""
        if isinstance(found, Skill):
            self.add(found)
        package = "" if point.dist is None else point.dist.name
        for name in self._skills:
            self._packages.setdefault(name, package)


SKILLS: Final = Skills(group="graphwright.skills")
"""The skills of the process: what the `skill` decorator and installed packages register."""

skill = SKILLS.skill
