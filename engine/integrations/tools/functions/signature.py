"""A function's parameters as JSON Schema, and arguments checked against them."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema

from engine.core.values.json import JsonObject, thaw
from engine.integrations.models.chat import CallOrigin
from engine.integrations.tools.functions.context import ToolContext
from engine.integrations.tools.sources import not_retryable


class _Untitled(GenerateJsonSchema):
    """JSON Schema without the generated titles, which models pay for and learn nothing from."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


class Signature:
    """What may be given to one function. Raises `TypeError` for what cannot be a tool."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._context: str | None = None
        self._names: dict[str, str] = {}
        hints = get_type_hints(function, include_extras=True)
        fields: dict[str, Any] = {}
        for name, parameter in inspect.signature(function).parameters.items():
            hint = hints.get(name, Any)
            if _is_context(hint):
                self._context = name
                continue
            _refuse_unnamed(function, parameter)
            # Numbered, because a parameter may be called like an attribute of the model.
            inner = f"parameter_{len(fields)}"
            self._names[inner] = name
            fields[inner] = (hint, _field(name, parameter.default))
        self._model: type[BaseModel] = create_model(
            "Arguments", __config__=ConfigDict(extra="forbid"), **fields
        )
        self.schema: JsonObject = _schema(self._model)

    def bind(self, tool: str, arguments: Mapping[str, Any], origin: CallOrigin) -> dict[str, Any]:
        """Return the keyword arguments of a call; those left out keep the function's defaults.

        Raises `ToolFailed`, not retryable, that names each wrong argument.
        """
        try:
            checked = self._model.model_validate(thaw(arguments))
        except ValidationError as error:
            raise _refusal(tool, error) from error
        given = checked.model_fields_set
        bound = {n: getattr(checked, inner) for inner, n in self._names.items() if inner in given}
        if self._context is not None:
            bound[self._context] = ToolContext.of(origin)
        return bound


def _is_context(hint: object) -> bool:
    if get_origin(hint) in (Union, types.UnionType):
        return ToolContext in get_args(hint)
    return hint is ToolContext


def _refuse_unnamed(function: Callable[..., Any], parameter: inspect.Parameter) -> None:
    if parameter.kind not in (
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
    ):
        raise TypeError(
            f"{function.__qualname__} cannot be a tool: {parameter} is not called by name"
        )


def _field(name: str, default: Any) -> FieldInfo:
    value = ... if default is inspect.Parameter.empty else default
    field: FieldInfo = Field(value, alias=name)
    return field


def _schema(model: type[BaseModel]) -> JsonObject:
    schema = model.model_json_schema(by_alias=True, schema_generator=_Untitled)
    schema.pop("title", None)
    return schema


def _refusal(tool: str, error: ValidationError) -> Exception:
    problems = []
    for item in error.errors(include_url=False, include_context=False, include_input=False):
        field = ".".join(str(part) for part in item["loc"])
        problems.append(
            (field, "unknown argument" if item["type"] == "extra_forbidden" else item["msg"])
        )
    text = "; ".join(f"{field}: {message}" for field, message in problems)
    return not_retryable(f"{tool}: {text}", fields=[field for field, _ in problems])
