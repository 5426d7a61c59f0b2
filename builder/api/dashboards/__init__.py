"""Figures over HTTP."""
