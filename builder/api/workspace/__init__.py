"""A workspace, its people and what it set up, over HTTP."""
