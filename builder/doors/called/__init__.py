"""What programs call: workflows as tools of an MCP server and as models of `/v1`, and what tokens may."""
