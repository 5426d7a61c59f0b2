"""Tools over HTTP: sources, definitions, settings."""
