"""Runs over SQL: the store, the rows it writes, and the schema of an SQLite file."""
