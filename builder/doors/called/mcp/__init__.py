"""The published workflows of a workspace as tools of an MCP server."""
