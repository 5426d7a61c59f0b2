"""What waits for people, over HTTP."""
