"""Runs in the project's database: the engine's store and the rows it writes."""
