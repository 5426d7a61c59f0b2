"""Bringing runs back: what was lost is taken over, and what was stopped is begun again."""
