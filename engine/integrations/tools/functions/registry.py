"""The registry of function tools: by decorator or entry point, looked up and never imported."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import re
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, TypeVar, overload

from pydantic import BaseModel

from engine.core.effects import EffectClass
from engine.core.errors import EngineError, NodeError, ToolFailed
from engine.core.node_types.plugins import load_each
from engine.core.values.json import InvalidJson, JsonObject, canonical, freeze
from engine.integrations.models.chat import CallOrigin
from engine.integrations.tools.functions.signature import Signature
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES, Tool, ToolSpec
from engine.integrations.tools.sources import MAX_RESULT, lost_call, not_retryable

ENTRY_POINTS = "graphwright.tools"
"""Entry points of this group name a decorated function, or a module that registers some."""

MAX_THREADS = 8
"""Synchronous tools that run at once; further calls wait for a thread within their time."""
CALL_TIMEOUT = 300.0
"""Seconds of one call, waiting for a thread included."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")

Function = TypeVar("Function", bound=Callable[..., Any])


class ToolNotRegistered(EngineError):
    """A function cannot become a tool: its name is reserved, taken or malformed, or its
    parameters cannot be described.
    """

    code = "ToolNotRegistered"


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """One registered function."""

    spec: ToolSpec
    function: Callable[..., Any]
    qualified_name: str
    _signature: Signature
    _registry: FunctionTools
    is_async: bool

    async def call(self, arguments: JsonObject, origin: CallOrigin) -> Any:
        """Return what the function returned, as frozen JSON.

        Raises `ToolFailed` when the function raises, `NodeError`s of the function as they are,
        `OutcomeUnknown` when a call that is not safe to repeat does not end in time.
        """
        spec = self.spec
        bound = self._signature.bind(spec.name, arguments, origin)
        try:
            result = await self._registry.run(self, bound)
        except NodeError:
            raise
        except Exception as error:  # the tool is foreign code: whatever it raises is its report
            raise ToolFailed(f"{spec.name} failed: {_told(error)}") from error
        return _json(spec.name, result)


_SPOKEN: Final = frozenset([ValueError, RuntimeError, OSError, Exception])
"""Errors that are raised with a sentence; of all others the class is half of what they say."""


def _told(error: Exception) -> str:
    """Return what an error says, for people who did not write the tool."""
    said = str(error)
    return (
        said if said and type(error) in _SPOKEN else f"{type(error).__name__}: {said}".rstrip(": ")
    )


@dataclass(slots=True)
class FunctionTools:
    """A set of function tools; a source of `engine.integrations.tools.toolset.Toolset`.

    Synchronous functions run in `max_threads` threads. A thread cannot be stopped: a function
    that outlives its time keeps its thread until it returns.
    """

    name: str = "python"
    max_threads: int = MAX_THREADS
    timeout_s: float = CALL_TIMEOUT
    _tools: dict[str, FunctionTool] = field(default_factory=dict)
    _pool: ThreadPoolExecutor | None = None

    vetted = True
    """Installed by the operator: definitions need no acceptance."""

    @overload
    def tool(self, name: Function, /) -> Function: ...
    @overload
    def tool(
        self,
        name: str | None = None,
        effect_class: EffectClass | str = EffectClass.UNSAFE,
        description: str | None = None,
    ) -> Callable[[Function], Function]: ...
    def tool(
        self,
        name: Any = None,
        effect_class: EffectClass | str = EffectClass.UNSAFE,
        description: str | None = None,
    ) -> Any:
        """Register the decorated function and return it unchanged.

        `name` is the function's own by default, `description` its docstring; `effect_class` may be
        the name of one. Raises `ToolNotRegistered`.
        """
        if callable(name):
            self.register(name)
            return name

        def decorate(function: Function) -> Function:
            self.register(function, name=name, effect_class=effect_class, description=description)
            return function

        return decorate

    def register(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        effect_class: EffectClass | str = EffectClass.UNSAFE,
        description: str | None = None,
    ) -> FunctionTool:
        """Add a function and return its tool; the same function again replaces itself."""
        short = name if name is not None else function.__name__
        qualified = f"{function.__module__}:{function.__qualname__}"
        self._refuse(short, qualified)
        try:
            signature = Signature(function)
            effect = EffectClass.named(effect_class)
        except (TypeError, NameError, ValueError) as error:
            raise ToolNotRegistered(f"tool {short!r}: {error}") from error
        text = description if description is not None else inspect.getdoc(function) or ""
        spec = ToolSpec(short, text, signature.schema, effect, self.name)
        is_async = inspect.iscoroutinefunction(function)
        added = FunctionTool(spec, function, qualified, signature, self, is_async)
        self._tools[short] = added
        return added

    def _refuse(self, name: str, qualified: str) -> None:
        if name in RESERVED_TOOL_NAMES:
            raise ToolNotRegistered(f"{name!r} is reserved: no agent may ever call it")
        if not _NAME.fullmatch(name):
            raise ToolNotRegistered(f"{name!r} is no tool name: letters, digits, _ and -, up to 64")
        taken = self._tools.get(name)
        if taken is not None and taken.qualified_name != qualified:
            raise ToolNotRegistered(f"{name!r} is already {taken.qualified_name}")

    def load_entry_points(self) -> None:
        """Register what installed packages offer; a broken one is left out (`engine.core.node_types.plugins`)."""
        load_each(entry_points(group=ENTRY_POINTS), self._add_entry)

    def _add_entry(self, point: EntryPoint, found: object) -> None:
        known = any(tool.function is found for tool in self._tools.values())
        if inspect.isfunction(found) and not known:
            self.register(found, name=point.name)
        if point.dist is not None:
            self._belongs(point.module, f"{point.dist.name} {point.dist.version}")

    def _belongs(self, module: str, package: str) -> None:
        """Note whose the functions are that came with a module, or one beside it, and are nobody's yet.

        Packages may share the first part of their names: what another one brought is left to it.
        """
        top = module.partition(".")[0]
        for name, tool in self._tools.items():
            same = tool.qualified_name.partition(":")[0].partition(".")[0] == top
            if same and not tool.spec.package:
                self._tools[name] = replace(tool, spec=replace(tool.spec, package=package))

    async def find(self, name: str) -> Tool | None:
        """Return the tool with this short name, or with this `package.module:function`."""
        found = self._tools.get(name)
        if found is None and ":" in name:
            matching = (tool for tool in self._tools.values() if tool.qualified_name == name)
            found = next(matching, None)
        return found

    async def tools(self) -> list[Tool]:
        """Return every tool, in the order of registration."""
        return list(self._tools.values())

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """Definitions of the tools, in that order, from any thread."""
        return tuple(tool.spec for tool in list(self._tools.values()))

    async def run(self, tool: FunctionTool, arguments: Mapping[str, Any]) -> Any:
        """Return what the function returns, awaited or run in a thread, within the time of a call."""
        function, spec = tool.function, tool.spec
        started: Future[Any] | None = None
        try:
            async with asyncio.timeout(self.timeout_s) as limit:
                if tool.is_async:
                    return await function(**arguments)
                started = self._submit(function, arguments)
                return await asyncio.wrap_future(started)
        except TimeoutError as late:
            if not limit.expired():
                raise
            if started is not None and started.cancelled():
                raise ToolFailed(f"{spec.name}: no thread was free in time") from late
            message = f"{spec.name} did not end within {self.timeout_s:g} s"
            raise lost_call(spec.effect_class, message) from late

    def _submit(self, function: Callable[..., Any], arguments: Mapping[str, Any]) -> Future[Any]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.max_threads, thread_name_prefix="tool")
        context = contextvars.copy_context()
        return self._pool.submit(context.run, lambda: function(**arguments))

    async def aclose(self) -> None:
        """Let go of the threads; calls under way end by themselves."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _json(tool: str, result: object) -> Any:
    if isinstance(result, BaseModel):
        result = result.model_dump(mode="json")
    try:
        frozen = freeze(result)
    except InvalidJson as error:
        raise not_retryable(f"{tool} returned no JSON: {error}") from error
    size = len(canonical(frozen))
    if size > MAX_RESULT:
        raise not_retryable(f"{tool} returned {size} bytes; {MAX_RESULT} are allowed")
    return frozen


DEFAULT = FunctionTools()
"""The registry of the process: what the `tool` decorator fills."""

tool = DEFAULT.tool
