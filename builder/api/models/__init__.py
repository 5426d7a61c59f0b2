"""Models: providers and what they have, whether they answer, what they cost."""
