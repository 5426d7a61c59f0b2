"""Proofs over every path of a graph."""
