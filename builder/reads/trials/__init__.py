"""What test runs left, for those that follow: what a node gave, and what has changed since."""
