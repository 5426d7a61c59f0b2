"""Agents that hand over to one another."""
