"""Tools: the protocol, what a workspace offers, and where they come from."""
