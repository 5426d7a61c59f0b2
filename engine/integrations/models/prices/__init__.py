"""What a token costs."""
