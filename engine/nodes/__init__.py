"""The built-in node types: every module holds one, found by being there."""
