"""Triggers: what starts workflows by itself, and the public address that is called."""
