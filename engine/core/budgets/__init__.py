"""Money and tokens: what is held, spent and left, and what a shared limit counts."""
