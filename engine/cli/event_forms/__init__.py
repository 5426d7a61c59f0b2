"""`python -m engine.cli.event_forms` writes down elsewhere what each event carries.

From the classes in `engine.core.state.event_types` come the reference in `docs/events.md`, the
overloads of `Transition.emit` and the types of the front end. A test holds all three to the classes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.cli.event_forms.classes import ROOT, SOURCE, Forms
from engine.cli.event_forms.overloads import overloads
from engine.cli.event_forms.page import page
from engine.cli.event_forms.typescript import typescript

COMMAND: Final = "python -m engine.cli.event_forms"
PAGE: Final = ROOT / "docs" / "events.md"
OVERLOADS: Final = SOURCE / "emit.py"
TYPESCRIPT: Final = ROOT / "frontend" / "src" / "run" / "fold" / "eventForms.gen.ts"


def written() -> dict[Path, str]:
    """Return each file that is made from the classes, as it has to be now."""
    forms = Forms()
    return {PAGE: page(forms), OVERLOADS: overloads(forms), TYPESCRIPT: typescript(forms)}
