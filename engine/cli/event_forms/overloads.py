"""The overloads of `Transition.emit`: what mypy knows of each event's key and fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.cli.event_forms.classes import GROUPS, Form, Forms

WIDTH: Final = 100
KEYS: Final = {"OfRun": "None", "OfActivation": "str", "OfEither": "str | None"}
"""By whom an event is about: the type of its key."""
HEAD: Final = '''\
"""What `Transition.emit` takes: one overload for each type of event.

Written by `python -m engine.cli.event_forms` from the classes beside it; a test holds it to them.
"""

from __future__ import annotations

from typing import Literal, Protocol, overload

'''
CLASS: Final = '''

class Emit(Protocol):
    """Append an event of a type, with the key and the fields that it has, and apply it."""
'''


def overloads(forms: Forms) -> str:
    """Return the module with the overloads."""
    imports = "".join(
        _import(f"engine.core.state.event_types.{module}", [e.name for e in forms.events(module)])
        for module in sorted(GROUPS)
    )
    event = "from engine.core.state.events import Event\n"
    methods = "".join(_method(forms, each) for each in forms.all_events())
    return HEAD + imports + event + CLASS + methods


def _import(module: str, names: list[str]) -> str:
    listed = "".join(f"    {name},\n" for name in sorted(names, key=str.lower))
    return f"from {module} import (\n{listed})\n"


def _method(forms: Forms, form: Form) -> str:
    return "\n    @overload\n" + "\n".join(_signature(forms, form)) + "\n"


def _signature(forms: Forms, form: Form) -> Iterator[str]:
    key = KEYS[forms.subject(form) or ""]
    parameters = f'self, type_: Literal["{form.name}"], key: {key}, data: {form.name}'
    line = f"    def __call__({parameters}) -> Event: ..."
    if len(line) <= WIDTH:
        yield line
    else:
        yield from ("    def __call__(", f"        {parameters}", "    ) -> Event: ...")
