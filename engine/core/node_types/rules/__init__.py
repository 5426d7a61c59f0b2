"""Mistakes that the code of a node type or function shows."""
