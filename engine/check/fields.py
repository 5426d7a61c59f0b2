"""The values of a config with what they stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from engine.core.graph.problems import json_path, models_in
from engine.core.node_types.form import hint
from engine.core.values.effort import charge


@dataclass(frozen=True, slots=True)
class FieldValue:
    """One value of a config: where it stands and the hints of its field."""

    place: tuple[str | int, ...]
    value: Any
    info: FieldInfo

    @property
    def widget(self) -> str | None:
        """What kind of value it is."""
        found: str | None = self.hint("widget")
        return found

    @property
    def path(self) -> str:
        """The place as text."""
        return json_path(self.place)

    def hint(self, name: str) -> Any:
        """Return the hint `x-<name>`, None without."""
        return hint(self.info, name)

    def texts(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Yield every text in the value with its place: of lists, maps and trees all of them."""
        for found in _texts(self.place, self.value):
            charge(2)
            yield found


def fields_of(config: BaseModel, place: tuple[str | int, ...]) -> Iterator[FieldValue]:
    """Yield the fields of a config and of the models inside it, defaults included."""
    for name, info in type(config).model_fields.items():
        value = getattr(config, name)
        here = (*place, info.alias or name)
        yield FieldValue(here, value, info)
        yield from _inside(value, here)


def raw_fields(
    model: type[BaseModel], given: Any, place: tuple[str | int, ...]
) -> Iterator[FieldValue]:
    """Yield the given fields of a config that may not be valid, as they were written."""
    for name, info in model.model_fields.items() if isinstance(given, Mapping) else ():
        label = info.alias or name
        if label not in given:
            continue
        here = (*place, label)
        charge(2)
        yield FieldValue(here, given[label], info)
        for inner in models_in(info.annotation):
            for at, item in _objects(given[label], here):
                yield from raw_fields(inner, item, at)


def _objects(
    value: object, place: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], object]]:
    """Yield a value that is an object, or the objects of a list."""
    if isinstance(value, Mapping):
        yield place, value
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _objects(item, (*place, index))


def raw_texts(model: type[BaseModel], given: Any, widgets: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts in fields of these kinds of a config that may not be valid."""
    for name, info in model.model_fields.items() if isinstance(given, Mapping) else ():
        value = given.get(info.alias or name)
        if hint(info, "widget") in widgets:
            yield from (text for _place, text in _texts((), value))
        else:
            for inner in models_in(info.annotation):
                yield from raw_texts(inner, value, widgets)


def _inside(value: object, place: tuple[str | int, ...]) -> Iterator[FieldValue]:
    if isinstance(value, BaseModel):
        yield from fields_of(value, place)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _inside(item, (*place, index))


def _texts(
    place: tuple[str | int, ...], value: object
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts((*place, key), item)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _texts((*place, index), item)
