"""What is installed: node types, function handlers, fitness functions.

Registries are objects; tests make their own. `NODE_TYPES`, `HANDLERS` and `FITNESS` are those of
the process, filled at first use from `engine.nodes` and the entry point groups
`graphwright.nodes` and `graphwright.handlers`. A graph only ever looks names up here: nothing is
imported because of a document.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from threading import RLock
from types import ModuleType
from typing import Any, Final, TypeVar

from engine.core.effects import EffectClass
from engine.core.errors import EngineError
from engine.core.node_types.config_schema import UnsupportedSchema, config_schema
from engine.core.node_types.node_type import NodeConfig, NodeType
from engine.core.node_types.plugins import load_each
from engine.core.node_types.rules.call_mistakes import (
    function_mistakes,
    own_process_mistakes,
)
from engine.core.node_types.rules.purity import impure_names
from engine.core.node_types.rules.type_mistakes import type_mistakes
from engine.core.values.json import JsonObject

_TYPE_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}\Z")
_SHORT_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,127}\Z")

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])


class RegistrationError(EngineError):
    """What was about to be registered is incomplete or its name is taken."""

    code = "RegistrationError"


class _Once:
    """Loads something at first use, for all threads: nobody sees a half of it."""

    def __init__(self, load: Callable[[], None]) -> None:
        self._todo: Callable[[], None] | None = load
        self._done = False
        self._lock = RLock()  # what is loaded may ask for what is there already

    def __call__(self) -> None:
        if self._done:
            return
        with self._lock:
            load, self._todo = self._todo, None
            if load is None:
                return
            try:
                load()
            finally:
                self._done = True


class NodeTypes:
    """Node types by name. `package` and `group` are scanned once, at first use."""

    def __init__(self, *, package: str | None = None, group: str | None = None) -> None:
        self._types: dict[str, NodeType] = {}
        self._load = _Once(partial(self._scan, package, group))

    def register(self, cls: type[NodeType]) -> type[NodeType]:
        """Add a node type and return it. Raises `RegistrationError`, which says what is missing."""
        _check_type(cls)
        _check_code(cls)
        _check_effect(cls)
        _check_undo(cls)
        known = self._types.get(cls.type)
        if known is not None and type(known) is not cls:
            raise RegistrationError(
                f"node type {cls.type!r} of {_place(cls)} is already taken by {_place(type(known))}"
            )
        self._types[cls.type] = cls()
        return cls

    def get(self, name: str) -> NodeType:
        """Return the node type. Raises `KeyError`."""
        return self._loaded()[name]

    def find(self, name: str) -> NodeType | None:
        """Return the node type, None if there is none of that name."""
        return self._loaded().get(name)

    def all(self) -> list[NodeType]:
        """Return every node type, by category and label."""
        return sorted(self._loaded().values(), key=lambda t: (t.category, t.label))

    def _loaded(self) -> dict[str, NodeType]:
        self._load()
        return self._types

    def _scan(self, package: str | None, group: str | None) -> None:
        for module in _modules_of(package) if package else ():
            self.register(_only_type(module))
        load_each(entry_points(group=group) if group else (), self._register_entry)

    def _register_entry(self, _point: EntryPoint, found: Any) -> None:
        self.register(_only_type(found) if isinstance(found, ModuleType) else found)


def _check_effect(cls: type[NodeType]) -> None:
    """Make the class's effect one of the known ones, and refuse a pure type that is not."""
    try:
        cls.effect_class = EffectClass.named(cls.effect_class)
    except ValueError as error:
        raise RegistrationError(f"{_place(cls)}.effect_class: {error}") from None
    if cls.effect_class is not EffectClass.PURE:
        return
    asked = sorted(impure_names(cls.run))
    if asked:
        raise RegistrationError(
            f"{_place(cls)} is pure, and its run() uses ctx.{', ctx.'.join(asked)}: a pure type "
            "only computes from what it reads. Give it another effect_class (read, if it only looks)"
        )


def _check_code(cls: type[NodeType]) -> None:
    """Refuse a type whose class or code shows that a run would fail with it."""
    wrong = next(type_mistakes(cls), None)
    if wrong is not None:
        raise RegistrationError(f"{_place(cls)}{'' if wrong[0] == '.' else ' '}{wrong}")


def _check_undo(cls: type[NodeType]) -> None:
    """Refuse a type that promises an undo and cannot make it: a failing run would find out."""
    if cls.undo_of is not NodeType.undo_of and cls.undo is NodeType.undo:
        raise RegistrationError(f"{_place(cls)} has undo_of(), and no undo() that makes the call")


def _check_type(cls: type[NodeType]) -> None:
    if not (isinstance(cls, type) and issubclass(cls, NodeType)):
        raise RegistrationError(f"{cls!r} is no subclass of NodeType")
    place = _place(cls)
    if not (cls.__dict__.get("__doc__") or "").strip():
        raise RegistrationError(f"{place} has no docstring; it is the palette's help text")
    if not _TYPE_NAME.match(str(getattr(cls, "type", ""))):
        raise RegistrationError(
            f"{place}.type must be lower_case, not {getattr(cls, 'type', None)!r}"
        )
    if not str(getattr(cls, "label", None) or "").strip():
        raise RegistrationError(f"{place} has no label")
    if not (isinstance(cls.Config, type) and issubclass(cls.Config, NodeConfig)):
        raise RegistrationError(f"{place}.Config must be a subclass of NodeConfig")
    try:
        config_schema(cls)
    except UnsupportedSchema as error:
        raise RegistrationError(f"{place}.Config cannot be drawn as a form: {error}") from error


def _modules_of(package: str) -> Iterator[ModuleType]:
    root = import_module(package)
    for info in iter_modules(root.__path__):
        if not info.name.startswith("_"):
            yield import_module(f"{package}.{info.name}")


def _only_type(module: ModuleType) -> type[NodeType]:
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, NodeType)
        and value.__module__ == module.__name__
        and not value.__name__.startswith("_")
    ]
    if len(found) != 1:
        names = [cls.__name__ for cls in found]
        raise RegistrationError(f"{module.__name__} must hold exactly one node type, found {names}")
    return found[0]


def _place(value: object) -> str:
    name = getattr(value, "__qualname__", None) or type(value).__qualname__
    return f"{value.__module__}:{name}"


@dataclass(frozen=True, slots=True)
class Handler:
    """A registered function. `path` is `module:function`; PURE and `cpu_bound` only where declared."""

    name: str
    path: str
    function: Callable[..., Any]
    effect_class: EffectClass = EffectClass.READ
    cpu_bound: bool = False
    is_async: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_async", inspect.iscoroutinefunction(self.function))

    def describe(self) -> JsonObject:
        """Return the entry of `/api/functions/`."""
        return {"name": self.name, "description": inspect.getdoc(self.function) or ""}


class Handlers:
    """Functions by short name and by `module:function`; `group` is loaded at first look-up."""

    def __init__(self, *, group: str | None = None) -> None:
        self._by_name: dict[str, Handler] = {}
        self._by_path: dict[str, Handler] = {}
        self._load_group = _Once(partial(self._scan, group))

    def register(
        self,
        name: str,
        *,
        effect_class: EffectClass | str = EffectClass.READ,
        cpu_bound: bool = False,
    ) -> Callable[[AnyFunction], AnyFunction]:
        """Return a decorator that registers a function and leaves it as it is.

        One that is `cpu_bound` is called in a process of its own, with what its node sees. Raises `RegistrationError` for a bad or taken name and for an effect class other than READ
        and PURE: what a function does to the world goes through `ctx`.
        """
        if not isinstance(name, str):
            raise RegistrationError(
                f"{name!r} is no name: write it in the call, `@handler('name')`"
            )
        if not _SHORT_NAME.match(name):
            raise RegistrationError(f"{name!r} is no handler name: letters, digits, '_', '-', '.'")
        if effect_class not in (EffectClass.READ, EffectClass.PURE):
            raise RegistrationError(f"handler {name!r} can be read or pure, not {effect_class}")
        effect = EffectClass(effect_class)

        def add(function: AnyFunction) -> AnyFunction:
            wrong = next(function_mistakes(function), None)
            if wrong is None and cpu_bound:
                wrong = next(own_process_mistakes(function), None)
            if wrong is not None:
                raise RegistrationError(f"handler {name!r} {wrong}")
            asked = sorted(impure_names(function, 0)) if effect is EffectClass.PURE else []
            if asked:
                raise RegistrationError(
                    f"handler {name!r} is pure and uses ctx.{', ctx.'.join(asked)}: leave its "
                    "effect_class away"
                )
            self._add(Handler(name, _place(function), function, effect, cpu_bound))
            return function

        return add

    def _add(self, entry: Handler) -> None:
        known = self._by_name.get(entry.name)
        if known is not None and known.path != entry.path:
            raise RegistrationError(
                f"handler {entry.name!r} of {entry.path} is already taken by {known.path}"
            )
        self._by_name[entry.name] = entry
        self._by_path[entry.path] = entry

    def find(self, name: str) -> Handler | None:
        """Return the function registered as short name or `module:function`; imports nothing."""
        self._load_group()
        return self._by_name.get(name) or self._by_path.get(name)

    def all(self) -> list[Handler]:
        """Return every registered function by short name."""
        self._load_group()
        return [self._by_name[name] for name in sorted(self._by_name)]

    def _scan(self, group: str | None) -> None:
        load_each(entry_points(group=group) if group else (), self._add_entry)

    def _add_entry(self, point: EntryPoint, found: object) -> None:
        """Add a plain function under the entry point's name; a module has decorated its own."""
        if inspect.isfunction(found) and _place(found) not in self._by_path:
            self.register(point.name)(found)


NODE_TYPES: Final = NodeTypes(package="engine.nodes", group="graphwright.nodes")
HANDLERS: Final = Handlers(group="graphwright.handlers")
FITNESS: Final = Handlers(group="graphwright.fitness")

get = NODE_TYPES.get
handler = HANDLERS.register
fitness = FITNESS.register
