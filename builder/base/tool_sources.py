"""The sources of a workspace's tools as people are shown them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.effects import EffectClass
from engine.integrations.tools.protocol import ToolSpec


@dataclass(frozen=True, slots=True)
class ListedSource:
    """One source: `kind` is `functions`, `program`, `http` or `openapi`, empty where nobody knows.

    `vetted` sources need no acceptance, of `trusted` ones the first definition is accepted, `own`
    ones are the workspace's. A source without tools has a `problem`, and the `code` of the error;
    `pending` says that it may still answer.
    """

    name: str
    kind: str = "functions"
    where: str = ""
    trusted: bool = False
    vetted: bool = True
    tools: tuple[ToolSpec, ...] = ()
    problem: str | None = None
    pending: bool = False
    own: bool = False
    code: str = ""


@dataclass(frozen=True, slots=True)
class ListedSources:
    """All sources in the order in which a bare name is looked up, and what the file suffers."""

    sources: tuple[ListedSource, ...]
    file: str = ""
    file_problem: str | None = None

    @property
    def specs(self) -> list[ToolSpec]:
        """Return every tool, in that order."""
        return [spec for source in self.sources for spec in source.tools]

    @property
    def effects(self) -> dict[str, EffectClass]:
        """Return how safe each tool is to repeat, by its name and by `source/name`."""
        found: dict[str, EffectClass] = {}
        for spec in self.specs:
            found.setdefault(spec.name, spec.effect_class)
            found[f"{spec.source}/{spec.name}"] = spec.effect_class
        return found

    @property
    def unreachable(self) -> dict[str, str]:
        """Return what is wrong with the sources that did not answer, by their names."""
        return {each.name: each.problem for each in self.sources if each.problem is not None}
