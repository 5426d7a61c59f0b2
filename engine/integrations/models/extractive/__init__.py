"""Answers computed from the text at hand: nearest labels, found values, quoted sentences."""
