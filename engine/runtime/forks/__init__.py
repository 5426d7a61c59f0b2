"""Runs that go on from a point of another run: forks and retries."""
