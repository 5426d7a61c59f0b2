"""Consent to MCP servers."""
