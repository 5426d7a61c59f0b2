"""What a command is given: files and JSON flags, read within limits, every problem with its place."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn, TextIO

import orjson
from pydantic import BaseModel, ConfigDict, Field, StrictBool, TypeAdapter, ValidationError

from engine.check import World
from engine.check.remainder import remainder
from engine.core.graph.document import GraphSpec, has_errors, parse_document
from engine.core.graph.problems import Problem, problems_of
from engine.core.node_types.node_type import UNSET
from engine.core.values.json import JsonObject
from engine.core.values.limits import MAX_IMPORT, UnreadableInput, parse_json, parse_yaml
from engine.scripted.script import Script, ScriptInvalid


class Unusable(Exception):
    """A file or flag cannot be used; `problems` are `{path, code, message, severity}`."""

    def __init__(self, problems: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = list(problems)

    @classmethod
    def of(cls, code: str, path: str, message: str) -> Unusable:
        """Return the refusal for one problem."""
        return cls([problem(code, path, message)])


def problem(code: str, path: str, message: str) -> JsonObject:
    """Return one problem line of severity `error`."""
    return {"path": path, "code": code, "message": message, "severity": "error"}


def say(stream: TextIO, problems: Iterable[Mapping[str, Any]]) -> None:
    """Write problems as JSON lines."""
    stream.writelines(orjson.dumps(dict(item)).decode() + "\n" for item in problems)
    stream.flush()


class Flags(ArgumentParser):
    """A parser that refuses like everything else here: with a problem line, not with prose."""

    def error(self, message: str) -> NoReturn:
        """Raise `Unusable`."""
        raise Unusable.of("InvalidValue", "arguments", message)

    def print_help(self, file: Any = None) -> None:
        """Print the help on standard output."""
        super().print_help(file or sys.stdout)


def read_text(path: str, flag: str) -> bytes:
    """Return the bytes of a file; `-` is standard input. Raises `Unusable`."""
    try:
        return sys.stdin.buffer.read(MAX_IMPORT + 1) if path == "-" else Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        if isinstance(error, FileNotFoundError):
            reason += "; a file is wanted, such as workflow.yaml, and not the name of a workflow"
        raise Unusable.of("UnreadableDocument", flag, f"cannot read {path!r}: {reason}") from error


def make_writable(path: str, flag: str) -> None:
    """See to it that a file can be written when the run is over. Raises `Unusable`."""
    try:
        with Path(path).open("ab"):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unusable.of("InvalidValue", flag, f"cannot write {path!r}: {reason}") from error


@dataclass(slots=True)
class Documents:
    """A graph, the graphs beside it, and everything wrong with their form.

    `source` is the graph's text, `form` what is wrong with its own form.
    """

    source: bytes = b""
    form: list[Problem] = field(default_factory=list)
    spec: GraphSpec | None = None
    others: dict[str, GraphSpec] = field(default_factory=dict)
    problems: list[JsonObject] = field(default_factory=list)

    def more(self, world: Callable[[GraphSpec], World]) -> list[JsonObject]:
        """Return the errors of names and configs in what is left of a broken document."""
        if self.spec is not None:
            return []
        return [problem.to_json() for problem in remainder(self.source, self.form, world)]

    @property
    def broken(self) -> bool:
        """Whether a document cannot be used at all."""
        return self.spec is None or any(p["severity"] == "error" for p in self.problems)


def read_documents(file: str, beside: Iterable[str]) -> Documents:
    """Return the document of `file` and those of `--graphs`. Raises `Unusable` for no file."""
    found = Documents(read_text(file, "FILE"))
    found.spec, found.form = parse_document(found.source)
    found.problems += [p.to_json() for p in found.form]
    for path in beside:
        spec, problems = parse_document(read_text(path, "--graphs"))
        for item in problems:
            shown = item.to_json()
            found.problems.append({**shown, "path": f"{path}: {shown['path']}"})
        if spec is not None and not has_errors(problems):
            found.others[spec.id] = spec
    return found


def read_script(path: str | None) -> Script | None:
    """Return the script of a file. Raises `Unusable` with all its problems."""
    if path is None:
        return None
    try:
        data: Any = parse_yaml(read_text(path, "--script"), max_bytes=MAX_IMPORT)
    except UnreadableInput as error:
        raise Unusable.of(error.code, f"--script {error.path}".rstrip(), error.reason) from error
    if data is not None and not isinstance(data, Mapping):
        raise Unusable.of("InvalidValue", "--script", "a script is an object")
    try:
        return Script.parse(data)
    except ScriptInvalid as error:
        found = [{**item, "path": f"--script: {item['path']}"} for item in error.problems]
        raise Unusable(found) from error


def json_flag(text: str | None, flag: str) -> Any:
    """Return the value of a JSON flag, UNSET where it was not given. Raises `Unusable`."""
    if text is None:
        return UNSET
    try:
        return parse_json(text)
    except UnreadableInput as error:
        raise Unusable.of(error.code, flag, error.message) from error


def object_flag(text: str | None, flag: str) -> dict[str, Any]:
    """Return the object of a JSON flag, empty where it was not given. Raises `Unusable`."""
    value = json_flag(text, flag)
    if value is UNSET:
        return {}
    if not isinstance(value, dict):
        raise Unusable.of("InputInvalid", flag, f"must be an object, not {_kind(value)}")
    return value


def _kind(value: object) -> str:
    names = {list: "a list", str: "text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


class Decision(BaseModel):
    """One answer of `--decide`, in any of the accepted shapes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    decision: str | None = None
    comment: str | None = None
    edits: dict[str, Any] | None = None
    selected: Any = UNSET
    choice: Any = UNSET
    choices: Any = UNSET
    values: Any = UNSET
    cancel: StrictBool = False
    expire: StrictBool = False
    max_cost_usd: Decimal | None = Field(None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(None, ge=0)
    result: Any = UNSET


_DECISIONS: TypeAdapter[dict[str, list[Decision]]] = TypeAdapter(dict[str, list[Decision]])


def read_decisions(path: str | None) -> dict[str, list[Decision]]:
    """Return the answers of `--decide` by node id. Raises `Unusable` with all problems."""
    if path is None:
        return {}
    try:
        data = parse_yaml(read_text(path, "--decide"), max_bytes=MAX_IMPORT)
    except UnreadableInput as error:
        raise Unusable.of(error.code, f"--decide {error.path}".rstrip(), error.reason) from error
    try:
        return _DECISIONS.validate_python({} if data is None else data)
    except ValidationError as error:
        found = problems_of(error, Decision, data)
        raise Unusable([_decision_problem(item) for item in found]) from error


def _decision_problem(found: Problem) -> JsonObject:
    return {**found.to_json(), "path": f"--decide: {found.path}".rstrip(": ")}
