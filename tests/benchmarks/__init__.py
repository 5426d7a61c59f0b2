"""How fast the engine is, beside a hand-written floor and a peer, measured in the same run."""
