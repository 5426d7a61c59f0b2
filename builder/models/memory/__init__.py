"""What runs have learned."""
