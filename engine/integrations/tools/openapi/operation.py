"""One operation as a tool: its name, its arguments, and where each of them goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.core.effects import EffectClass
from engine.core.values.json import JsonObject, freeze, thaw
from engine.integrations.egress.http_call import READING
from engine.integrations.tools.openapi.parameters import Parameter
from engine.integrations.tools.protocol import ToolSpec

BODY: Final = "body"
"""The argument that is sent as the body."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A method and a path below a server, `media` where it takes a body; of a form, `deep` are the
    fields that are written `name[key]`.
    """

    name: str
    method: str
    path: str
    description: str
    schema: JsonObject
    parameters: tuple[Parameter, ...] = ()
    media: str | None = None
    body_required: bool = False
    deep: tuple[str, ...] = ()

    @property
    def effect(self) -> EffectClass:
        """Reading methods are `read`, all else is `unsafe` until a person says otherwise."""
        return EffectClass.READ if self.method in READING else EffectClass.UNSAFE

    def spec(self, source: str) -> ToolSpec:
        """Return the definition that a person agrees to and a model reads, with what goes where:
        another place of an argument is another definition.
        """
        text = f"{self.description}\n{self.method} {self.path}{self._placed()}".strip()
        return ToolSpec(self.name, text, self.schema, self.effect, source)

    def _placed(self) -> str:
        """Return where what is not in the path goes, as ` · header X-Team · body as a form`."""
        parts = [
            f"{place} {', '.join(map(_sent, found))}"
            for place in ("query", "header")
            if (found := [each for each in self.parameters if each.place == place])
        ]
        if self.media is not None:
            deep = f" with {', '.join(self.deep)} in brackets" if self.deep else ""
            parts.append(f"body as {self.media[:100]}{deep}")
        return "".join(f" · {part}" for part in parts)

    def to_json(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {
            "name": self.name,
            "method": self.method,
            "path": self.path,
            "description": self.description,
            "schema": thaw(self.schema),
            "parameters": [each.to_json() for each in self.parameters],
            "media": self.media,
            "body_required": self.body_required,
            "deep": list(self.deep),
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Operation:
        """Return what `to_json` kept."""
        fields = dict(kept)
        fields["schema"] = freeze(fields["schema"])
        fields["parameters"] = tuple(Parameter(**each) for each in fields["parameters"])
        fields["deep"] = tuple(fields.get("deep", ()))
        return cls(**fields)


def _sent(parameter: Parameter) -> str:
    """Return a parameter's name at the other side, and how it is written where that is not plain."""
    ways = {"as JSON": parameter.as_json, "in brackets": parameter.deep}
    said = "".join(f" {way}" for way, so in ways.items() if so)
    from_ = "" if parameter.name == parameter.argument else f" from {parameter.argument}"
    return f"{parameter.name}{from_}{said}"
