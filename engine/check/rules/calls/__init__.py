"""What a node sends elsewhere."""
