"""The outside world of these tests: tools whose effects are lines in a file, so they survive kills.

`ship` is keyed: the other side executes a key once, however often it is sent. `pay` is unsafe: every
send counts. `look_up` only reads, and fails at once while a file `down` is there.
`GRAPHWRIGHT_TEST_WORLD` names the folder, `GRAPHWRIGHT_TEST_SECONDS` how long each call takes; while a
file `slow` is there, a minute.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from engine.sdk import EffectClass, ToolContext, tool


def world() -> Path:
    """Return the folder that holds what happened."""
    return Path(os.environ["GRAPHWRIGHT_TEST_WORLD"])


def note(file: str, **fact: Any) -> None:
    """Append one line: a single write, so that a kill leaves all of it or nothing."""
    line = (json.dumps(fact) + "\n").encode()
    descriptor = os.open(world() / file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def take_time() -> None:
    """Be as slow as the test wants."""
    slow = "60" if (world() / "slow").exists() else "0"
    time.sleep(float(os.environ.get("GRAPHWRIGHT_TEST_SECONDS", slow)))


@tool(effect_class=EffectClass.KEYED)
def ship(order: str, ctx: ToolContext) -> dict[str, str]:
    """Ship an order; the same key is shipped once."""
    note("ship.sent", order=order, key=ctx.idempotency_key, run=ctx.run_id)
    try:
        (world() / f"ship-{ctx.idempotency_key}").touch(exist_ok=False)
    except FileExistsError:
        pass
    else:
        note("ship.done", order=order, key=ctx.idempotency_key, run=ctx.run_id)
    take_time()
    return {"shipped": order}


@tool(effect_class=EffectClass.UNSAFE)
def pay(order: str, ctx: ToolContext) -> dict[str, str]:
    """Pay for an order, every time it is called."""
    note("pay.sent", order=order, key=ctx.idempotency_key, run=ctx.run_id)
    take_time()
    return {"paid": order}


@tool(effect_class=EffectClass.READ)
def look_up(order: str) -> dict[str, str]:
    """Look an order up."""
    if (world() / "down").exists():
        raise ValueError(f"the ledger is down: no word of order {order}")
    take_time()
    return {"found": order}
