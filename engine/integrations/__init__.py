"""The outside: models, tools, memory and the one way out to the network."""
