"""Durable graph engine: runs a graph document, survives crashes, waits for people, holds budgets.

Pure Python: no web framework is imported here (a lint contract holds it to that).
"""
