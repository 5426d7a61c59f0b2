"""The engine's ports, on Django."""
