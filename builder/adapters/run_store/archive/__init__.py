"""Runs that are over, each in one compressed file: how it is written, found and read."""
