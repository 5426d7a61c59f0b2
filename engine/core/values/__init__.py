"""JSON values that nobody can change, their schemas and the limits of what is read."""
