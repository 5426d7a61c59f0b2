"""Workflows: drafts, versions, imports, templates and demos."""
