"""Vectors of texts, and how near two of them are."""
