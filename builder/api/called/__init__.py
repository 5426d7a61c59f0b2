"""What programs call, on the wire: tokens, offers, `/v1`, and the door of the MCP server."""
