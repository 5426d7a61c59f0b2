"""Processes that share one PostgreSQL: some serve people, others execute runs."""
