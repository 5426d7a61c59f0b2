"""What a node type is, what its form shows, and the registry that finds them."""
