"""Channels, rules and notices over the API."""
