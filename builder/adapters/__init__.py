"""Adapters: how the engine's ports are met by the database, the hub and the settings."""
