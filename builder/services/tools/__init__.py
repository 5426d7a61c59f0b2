"""Tools of a workspace: their sources, agreement to definitions, settings, users."""
