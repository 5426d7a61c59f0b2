"""Stores of processes that share one database with others of their kind."""
