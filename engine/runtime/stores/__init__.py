"""Implementations of the run store that need no framework."""
