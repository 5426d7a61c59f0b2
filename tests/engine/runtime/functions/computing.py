"""Functions of a module, as a process of their own finds them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from engine.core.errors import NodeError
from engine.core.node_types.node_type import NodeResult
from engine.core.values.limits import MAX_RESULT_BYTES


def seen(ctx: Any, params: Any) -> Any:
    """Return everything that is seen."""
    return {
        "output": {
            "pid": os.getpid(),
            "goal": ctx.view.goal,
            "input": ctx.view.input,
            "may": ctx.view.may_read("input"),
            "node": ctx.node.id,
            "attempt": ctx.attempt,
            "run": ctx.run_id,
            "params": params,
        }
    }


def changes(ctx: Any, _params: Any) -> Any:
    """Try to change what is seen."""
    ctx.view.input["x"] = 1


def result(_ctx: Any, _params: Any) -> NodeResult:
    """Return a result with fields."""
    return NodeResult(data={"a": 1}, condition="yes")


def fails(_ctx: Any, _params: Any) -> Any:
    """Fail as foreign code does."""
    raise ValueError("no such number")


def refuses(_ctx: Any, _params: Any) -> Any:
    """Fail with a code of its own."""
    raise NodeError("TooFar", "not so far", detail={"at": 3})


def dies(_ctx: Any, _params: Any) -> Any:
    """End without a word."""
    os.kill(os.getpid(), signal.SIGKILL)


def no_json(_ctx: Any, _params: Any) -> Any:
    """Return what is no JSON."""
    return {"output": object()}


def too_much(_ctx: Any, _params: Any) -> Any:
    """Return more than a result may hold."""
    return {"output": "x" * MAX_RESULT_BYTES}


def spins(_ctx: Any, params: Any) -> Any:
    """Write down which process it is, and compute without an end."""
    whole = Path(params["pid_file"])
    whole.with_suffix(".new").write_text(str(os.getpid()))
    whole.with_suffix(".new").rename(whole)
    until = time.monotonic() + 120
    while time.monotonic() < until:
        pass
