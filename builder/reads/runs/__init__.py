"""Runs as lists show them: which they are, what they are called, what marks them."""
