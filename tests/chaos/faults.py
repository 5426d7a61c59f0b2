"""What is broken, and how: each strike kills a process, most also have something else go wrong."""

from __future__ import annotations

import http.client
import json
import time
from collections import Counter
from random import Random
from typing import Final

from tests.chaos.product import Product
from tests.chaos.recorder import EFFECTS, MODELS

LIVES_S: Final = (0.1, 1.5)
"""How long the product works between two kills."""
OUTSIDE: Final = 0.5
"""How often somebody outside is broken meanwhile."""
WITHIN: Final = 0.3
"""How often something of the product's machine is."""


class Faults:
    """Breaks one product by a seed, and heals it."""

    def __init__(self, product: Product, recorder: str, random: Random) -> None:
        self._product = product
        self._recorder = recorder.removeprefix("http://")
        self._random = random
        self.kills = 0
        self.struck: Counter[str] = Counter()

    def strike(self) -> None:
        """Let the product live with its troubles for a moment, and kill one of its processes."""
        if self._random.random() < OUTSIDE:
            self._break_outside()
        if self._random.random() < WITHIN:
            name, mishap = self._random.choice(sorted(self._product.mishaps().items()))
            self.struck[name] += 1
            mishap(self._random)
        time.sleep(self._random.uniform(*LIVES_S))
        self.struck[f"killed {self._product.kill_one(self._random)}"] += 1
        self.kills += 1
        self._tell("ok", "ok")

    def heal(self) -> None:
        """End every fault."""
        self._tell("ok", "ok")
        self._product.heal()

    def tend(self) -> None:
        """Keep the product running."""
        self._product.tend()

    def _break_outside(self) -> None:
        model, effect = self._random.choice(sorted(MODELS)), self._random.choice(EFFECTS)
        self.struck[f"provider: {model}"] += 1
        self.struck[f"service: {effect}"] += 1
        self._tell(model, effect)

    def _tell(self, model: str, effect: str) -> None:
        connection = http.client.HTTPConnection(self._recorder, timeout=10)
        try:
            connection.request("POST", "/control", json.dumps({"model": model, "effect": effect}))
            connection.getresponse().read()
        finally:
            connection.close()
