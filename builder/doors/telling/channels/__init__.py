"""Channels: where they lead, who may change them, when they are quiet."""
